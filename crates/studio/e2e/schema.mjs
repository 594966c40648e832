// Holds messages against the JSON Schema that is made from the studio's types. It knows the words that
// such schemas use, and complains of others, so that nothing is overlooked.

import { readFile } from 'node:fs/promises';

const KNOWN = new Set([
  '$schema', '$defs', '$ref', 'title', 'description', 'default', 'format', 'type', 'properties', 'required', 'additionalProperties', 'items',
  'prefixItems', 'minItems', 'maxItems', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'minimum', 'maximum',
]);

const KINDS = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === 'string',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** A function that says what is wrong with a message; nothing, if nothing is. */
export async function checker(name) {
  const root = JSON.parse(await readFile(new URL(`../schema/${name}.schema.json`, import.meta.url), 'utf8'));
  return (message) => wrong(root, root, message, name);
}

function wrong(root, schema, value, at) {
  if (schema === true) return null;
  const unknown = Object.keys(schema).find((key) => !KNOWN.has(key));
  if (unknown) return `${at}: nobody here knows what “${unknown}” asks for`;
  if (schema.$ref) {
    const found = wrong(root, root.$defs[schema.$ref.split('/').at(-1)], value, at);
    if (found) return found;
  }
  if ('const' in schema && schema.const !== value) return `${at}: ${JSON.stringify(value)} is not ${schema.const}`;
  if (schema.enum && !schema.enum.includes(value)) return `${at}: ${JSON.stringify(value)} is none of ${schema.enum}`;
  const kinds = [schema.type ?? []].flat();
  if (kinds.length > 0 && !kinds.some((kind) => KINDS[kind](value))) return `${at}: ${JSON.stringify(value)?.slice(0, 80)} is no ${kinds.join(' or ')}`;
  if (schema.minimum !== undefined && value < schema.minimum) return `${at}: ${value} is less than ${schema.minimum}`;
  return inObject(root, schema, value, at) ?? inList(root, schema, value, at) ?? inAlternatives(root, schema, value, at);
}

function inObject(root, schema, value, at) {
  if (!KINDS.object(value)) return null;
  const missing = (schema.required ?? []).find((key) => !(key in value));
  if (missing) return `${at}: “${missing}” is missing`;
  for (const [key, inner] of Object.entries(value)) {
    const rule = schema.properties?.[key] ?? (schema.properties ? null : schema.additionalProperties);
    const found = rule ? wrong(root, rule, inner, `${at}.${key}`) : null;
    if (found) return found;
  }
  return null;
}

function inList(root, schema, value, at) {
  if (!Array.isArray(value)) return null;
  if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity)) return `${at}: ${value.length} are too few or too many`;
  for (const [index, inner] of value.entries()) {
    const rule = schema.prefixItems?.[index] ?? schema.items;
    const found = rule ? wrong(root, rule, inner, `${at}[${index}]`) : null;
    if (found) return found;
  }
  return null;
}

function inAlternatives(root, schema, value, at) {
  for (const rule of schema.allOf ?? []) {
    const found = wrong(root, rule, value, at);
    if (found) return found;
  }
  for (const some of [schema.anyOf, schema.oneOf]) {
    const all = some?.map((rule) => wrong(root, rule, value, at)) ?? [];
    // The one that got furthest says most.
    if (all.length > 0 && all.every(Boolean)) return all.reduce((most, one) => (one.split(':')[0].length > most.split(':')[0].length ? one : most));
  }
  return null;
}
