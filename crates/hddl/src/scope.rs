//! What names mean at a place of an HDDL file: variables, objects, predicates and tasks.

use super::expression::{Content, Expression};
use super::mistake::{Complaint, Place, nearest};
use super::model::{Domain, Effect, Formula, Id, OBJECT, Parameter, Subtask, Term};

pub(crate) type Outcome<T> = Result<T, Complaint>;
pub(crate) type Words<'a, 'text> = &'a [Expression<'text>];

/// The variables that may be used at some place, and what else names can mean.
pub(crate) struct Scope<'domain> {
    domain: &'domain Domain,
    variables: Vec<(String, usize, Vec<Id>)>,
    next: usize,
}

impl<'domain> Scope<'domain> {
    pub(crate) fn new(domain: &'domain Domain, parameters: &[Parameter]) -> Self {
        Self {
            domain,
            variables: parameters
                .iter()
                .enumerate()
                .map(|(index, parameter)| {
                    (
                        parameter.name.to_lowercase(),
                        index,
                        parameter.types.clone(),
                    )
                })
                .collect(),
            next: parameters.len(),
        }
    }

    fn term(&self, item: &Expression<'_>) -> Outcome<Term> {
        let name = item.must_be_word("a variable or an object")?;
        let key = name.to_lowercase();
        if name.starts_with('?') {
            let found = self
                .variables
                .iter()
                .rev()
                .find(|(variable, _, _)| *variable == key);
            return match found {
                Some((_, index, _)) => Ok(Term::Variable(*index)),
                None => error(
                    item.place,
                    format!("there is no variable {name} here"),
                    suggest(
                        name,
                        self.variables.iter().map(|(name, _, _)| name.as_str()),
                    ),
                ),
            };
        }
        match self.domain.names.objects.get(&key) {
            Some(id) => Ok(Term::Object(*id)),
            None => error(
                item.place,
                format!("there is no object {name}"),
                suggest(
                    name,
                    self.domain
                        .objects
                        .iter()
                        .map(|object| object.name.as_str()),
                ),
            ),
        }
    }

    /// Arguments of a predicate or a task, as many as it has parameters.
    fn arguments(
        &self,
        place: Place,
        name: &str,
        parameters: &[Parameter],
        items: Words<'_, '_>,
    ) -> Outcome<Vec<Term>> {
        if items.len() != parameters.len() {
            return error(
                place,
                format!(
                    "{name} takes {} arguments, here are {}",
                    parameters.len(),
                    items.len()
                ),
                format!(
                    "its parameters are ({})",
                    parameters
                        .iter()
                        .map(|parameter| parameter.name.as_str())
                        .collect::<Vec<_>>()
                        .join(" ")
                ),
            );
        }
        let mut terms = Vec::with_capacity(items.len());
        for (item, parameter) in items.iter().zip(parameters) {
            let term = self.term(item)?;
            // A variable of a wider type is only a restriction of its values, a wrong object is a
            // mistake.
            if let Term::Object(object) = term
                && !self.domain.belongs(object, &parameter.types)
            {
                return error(
                    item.place,
                    format!(
                        "{} is no {}, which {name} needs for {}",
                        self.domain.objects[object].name,
                        self.domain.types[parameter.types[0]].name,
                        parameter.name
                    ),
                    "use an object of that type, or widen the type of the parameter",
                );
            }
            terms.push(term);
        }
        Ok(terms)
    }

    fn fact(&self, item: &Expression<'_>) -> Outcome<(Id, Vec<Term>)> {
        let items = item.must_be_list("a fact")?;
        let Some(first) = items.first() else {
            return error(item.place, "expected a fact, found ()", "");
        };
        let name = first.must_be_word("the name of a predicate")?;
        let Some(id) = self.domain.names.predicates.get(&name.to_lowercase()) else {
            return error(
                first.place,
                format!("there is no predicate {name}"),
                suggest(
                    name,
                    self.domain
                        .predicates
                        .iter()
                        .map(|predicate| predicate.name.as_str()),
                ),
            );
        };
        let predicate = &self.domain.predicates[*id];
        let arguments = self.arguments(
            item.place,
            &predicate.name,
            &predicate.parameters,
            &items[1..],
        )?;
        Ok((*id, arguments))
    }

    pub(crate) fn formula(&mut self, item: &Expression<'_>) -> Outcome<Formula> {
        let items = item.must_be_list("a condition")?;
        let Some(head) = items.first() else {
            return Ok(Formula::default());
        };
        let name = head.must_be_word("and, or, not, … or a predicate")?;
        let rest = &items[1..];
        let exactly = |count: usize| {
            if rest.len() == count {
                Ok(())
            } else {
                error(
                    item.place,
                    format!("{name} takes {count} parts, here are {}", rest.len()),
                    "",
                )
            }
        };
        match name.to_lowercase().as_str() {
            "and" => Ok(Formula::And(
                rest.iter()
                    .map(|part| self.formula(part))
                    .collect::<Outcome<_>>()?,
            )),
            "or" => Ok(Formula::Or(
                rest.iter()
                    .map(|part| self.formula(part))
                    .collect::<Outcome<_>>()?,
            )),
            "not" => {
                exactly(1)?;
                Ok(Formula::Not(Box::new(self.formula(&rest[0])?)))
            }
            "imply" => {
                exactly(2)?;
                let condition = Formula::Not(Box::new(self.formula(&rest[0])?));
                Ok(Formula::Or(vec![condition, self.formula(&rest[1])?]))
            }
            "=" => {
                exactly(2)?;
                Ok(Formula::Same(self.term(&rest[0])?, self.term(&rest[1])?))
            }
            "forall" | "exists" => {
                exactly(2)?;
                let count = self.variables.len();
                let variables = self.quantified(&rest[0])?;
                let mut inner = self.formula(&rest[1])?;
                self.variables.truncate(count);
                for (variable, types) in variables.into_iter().rev() {
                    inner = if name.eq_ignore_ascii_case("forall") {
                        Formula::Forall(variable, types, Box::new(inner))
                    } else {
                        Formula::Exists(variable, types, Box::new(inner))
                    };
                }
                Ok(inner)
            }
            _ => {
                let (predicate, terms) = self.fact(item)?;
                Ok(Formula::Fact(predicate, terms))
            }
        }
    }

    /// Brings the variables of a quantifier into scope.
    fn quantified(&mut self, item: &Expression<'_>) -> Outcome<Vec<(usize, Vec<Id>)>> {
        let mut all = Vec::new();
        for parameter in parameters(item.must_be_list("variables")?, self.domain)? {
            self.variables.push((
                parameter.name.to_lowercase(),
                self.next,
                parameter.types.clone(),
            ));
            all.push((self.next, parameter.types));
            self.next += 1;
        }
        Ok(all)
    }

    pub(crate) fn effects(
        &mut self,
        item: &Expression<'_>,
        condition: &Formula,
        variables: &mut Vec<(usize, Vec<Id>)>,
        effects: &mut Vec<Effect>,
    ) -> Outcome<()> {
        let items = item.must_be_list("an effect")?;
        let Some(head) = items.first() else {
            return Ok(());
        };
        let name = head
            .must_be_word("and, not, when, forall or a predicate")?
            .to_lowercase();
        let rest = &items[1..];
        match (name.as_str(), rest) {
            ("and", parts) => {
                for part in parts {
                    self.effects(part, condition, variables, effects)?;
                }
            }
            ("not", [inner]) => {
                let (predicate, arguments) = self.fact(inner)?;
                effects.push(Effect {
                    variables: variables.clone(),
                    condition: condition.clone(),
                    predicate,
                    arguments,
                    becomes: false,
                });
            }
            ("when", [when, inner]) => {
                let mut all = vec![self.formula(when)?];
                if *condition != Formula::default() {
                    all.push(condition.clone());
                }
                self.effects(inner, &Formula::And(all), variables, effects)?;
            }
            ("forall", [list, inner]) => {
                let (in_scope, count) = (self.variables.len(), variables.len());
                variables.extend(self.quantified(list)?);
                self.effects(inner, condition, variables, effects)?;
                self.variables.truncate(in_scope);
                variables.truncate(count);
            }
            // Costs are not used.
            ("increase", _) => {}
            ("not" | "when" | "forall", _) => {
                return error(
                    item.place,
                    format!("{name} has the wrong number of parts"),
                    "",
                );
            }
            _ => {
                let (predicate, arguments) = self.fact(item)?;
                effects.push(Effect {
                    variables: variables.clone(),
                    condition: condition.clone(),
                    predicate,
                    arguments,
                    becomes: true,
                });
            }
        }
        Ok(())
    }

    pub(crate) fn subtask(&mut self, item: &Expression<'_>) -> Outcome<Subtask> {
        let items = item.must_be_list("a task")?;
        let Some(first) = items.first() else {
            return error(item.place, "expected a task, found ()", "");
        };
        let name = first.must_be_word("the name of a task")?;
        let Some(task) = self.domain.task(name) else {
            return error(
                first.place,
                format!("there is no task or action {name}"),
                suggest(
                    name,
                    self.domain.tasks.iter().map(|task| task.name.as_str()),
                ),
            );
        };
        let declared = &self.domain.tasks[task];
        let arguments = self.arguments(
            item.place,
            &declared.name,
            &declared.parameters,
            &items[1..],
        )?;
        Ok(Subtask { task, arguments })
    }

    /// `()`, `(task …)`, `(and (task …) (id (task …)))`.
    pub(crate) fn subtasks<'text>(
        &mut self,
        list: &Expression<'text>,
    ) -> Outcome<Vec<(Option<&'text str>, Subtask)>> {
        let items = list.must_be_list("subtasks")?;
        if items.is_empty() {
            return Ok(Vec::new());
        }
        let many = list
            .head()
            .is_some_and(|head| head.eq_ignore_ascii_case("and"));
        let items = if many {
            &items[1..]
        } else {
            std::slice::from_ref(list)
        };
        items
            .iter()
            .map(|item| match item.list() {
                // An id and a task in parentheses of its own.
                Some([id, task]) if task.list().is_some() => {
                    Ok((Some(id.must_be_word("an id")?), self.subtask(task)?))
                }
                _ => Ok((None, self.subtask(item)?)),
            })
            .collect()
    }
}

pub(crate) fn error<T>(
    place: Place,
    message: impl Into<String>,
    hint: impl Into<String>,
) -> Outcome<T> {
    Err((place, message.into(), hint.into()))
}

/// Lists of the form `a b - kind c - (either x y) d`. What has no type has `object`.
pub(crate) fn typed<'a, 'text>(
    items: Words<'a, 'text>,
    what: &str,
) -> Outcome<
    Vec<(
        &'a Expression<'text>,
        &'text str,
        Vec<&'a Expression<'text>>,
    )>,
> {
    let mut all: Vec<(&Expression<'text>, &'text str, Vec<&Expression<'text>>)> = Vec::new();
    let mut without_type = 0;
    let mut index = 0;
    while index < items.len() {
        let item = &items[index];
        let word = item.must_be_word(what)?;
        index += 1;
        if word != "-" {
            all.push((item, word, Vec::new()));
            continue;
        }
        let Some(kind) = items.get(index) else {
            return error(item.place, "a type must follow -", "");
        };
        index += 1;
        let kinds: Vec<&Expression<'text>> = match &kind.content {
            Content::Word(_) => vec![kind],
            Content::List(words)
                if kind
                    .head()
                    .is_some_and(|head| head.eq_ignore_ascii_case("either")) =>
            {
                words[1..].iter().collect()
            }
            Content::List(_) => {
                return error(kind.place, "expected a type or (either …)", "");
            }
        };
        for entry in &mut all[without_type..] {
            entry.2.clone_from(&kinds);
        }
        without_type = all.len();
    }
    Ok(all)
}

pub(crate) fn kinds(words: &[&Expression<'_>], domain: &Domain) -> Outcome<Vec<Id>> {
    if words.is_empty() {
        return Ok(vec![OBJECT]);
    }
    words
        .iter()
        .map(|word| {
            let name = word.must_be_word("the name of a type")?;
            match domain.names.types.get(&name.to_lowercase()) {
                Some(id) => Ok(*id),
                None => error(
                    word.place,
                    format!("there is no type {name}"),
                    suggest(name, domain.types.iter().map(|kind| kind.name.as_str())),
                ),
            }
        })
        .collect()
}

pub(crate) fn suggest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, names) {
        Some(near) => format!("did you mean {near}?"),
        None => "declare it, or look for a slip in its spelling".to_owned(),
    }
}

pub(crate) fn parameters(items: Words<'_, '_>, domain: &Domain) -> Outcome<Vec<Parameter>> {
    let mut all: Vec<Parameter> = Vec::new();
    for (item, name, types) in typed(items, "a variable")? {
        if !name.starts_with('?') {
            return error(
                item.place,
                format!("expected a variable, found {name}"),
                format!("variables begin with a question mark: ?{name}"),
            );
        }
        if all
            .iter()
            .any(|other| other.name.eq_ignore_ascii_case(name))
        {
            return error(item.place, format!("{name} is declared twice"), "");
        }
        all.push(Parameter {
            name: name.to_owned(),
            types: kinds(&types, domain)?,
        });
    }
    Ok(all)
}
