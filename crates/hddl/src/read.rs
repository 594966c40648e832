//! Reads HDDL files: from nested lists of words to a checked model.

use super::expression::{Expression, read};
use super::extent::too_much;
use super::mistake::{Ledger, Mistakes, Place, nearest};
use super::model::{
    Body, Domain, Formula, Id, Method, OBJECT, Object, Parameter, Predicate, Problem, Subtask,
    Task, Term, Type,
};
use super::scope::{Outcome, Scope, Words, error, kinds, parameters, suggest, typed};

/// More types than this are refused: whether one descends from another is asked for every pair.
const MOST_TYPES: usize = 5_000;

/// Reads a domain.
///
/// `file` is only used to say where mistakes are.
///
/// ```
/// use apprentice_hddl::read_domain;
///
/// let text = "(define (domain light) (:predicates (on))
///   (:action press :parameters () :effect (onn)))";
/// let mistakes = read_domain("light.hddl", text).unwrap_err();
/// assert_eq!(
///     mistakes.to_string().lines().next(),
///     Some("light.hddl:2:42: there is no predicate onn")
/// );
/// ```
///
/// # Errors
///
/// All mistakes found, with their places.
pub fn read_domain(file: &str, text: &str) -> Result<Domain, Mistakes> {
    let mut ledger = Ledger::new(file, text);
    let mut domain = Domain::default();
    if let Some(whole) = ledger.take(read(text)) {
        let outcome = domain_of(&whole, &mut domain, &mut ledger);
        ledger.take(outcome);
    }
    ledger.close().map(|()| domain)
}

/// Reads a problem of a domain.
///
/// # Errors
///
/// All mistakes found, with their places.
pub fn read_problem(domain: &Domain, file: &str, text: &str) -> Result<Problem, Mistakes> {
    let mut ledger = Ledger::new(file, text);
    let mut problem = Problem {
        domain: domain.clone(),
        ..Problem::default()
    };
    if let Some(whole) = ledger.take(read(text)) {
        let outcome = problem_of(&whole, &mut problem, &mut ledger);
        ledger.take(outcome);
    }
    ledger.close().map(|()| problem)
}

/// The sections of `(define (domain NAME) …)`.
fn sections<'a, 'text>(
    whole: &'a Expression<'text>,
    what: &str,
) -> Outcome<(String, Words<'a, 'text>)> {
    let items = whole.must_be_list("(define …)")?;
    let is_define = items
        .first()
        .and_then(Expression::word)
        .is_some_and(|word| word.eq_ignore_ascii_case("define"));
    let title = items.get(1).and_then(Expression::list).unwrap_or(&[]);
    let is_this = title
        .first()
        .and_then(Expression::word)
        .is_some_and(|word| word.eq_ignore_ascii_case(what));
    if !is_define || !is_this {
        let hint = match title.first().and_then(Expression::word) {
            Some(other) => format!("this is a {other}; were two files exchanged?"),
            None => String::new(),
        };
        return error(
            whole.place,
            format!("expected (define ({what} NAME) …)"),
            hint,
        );
    }
    let name = title.get(1).and_then(Expression::word).unwrap_or("");
    Ok((name.to_owned(), &items[2..]))
}

fn domain_of(whole: &Expression<'_>, domain: &mut Domain, ledger: &mut Ledger<'_>) -> Outcome<()> {
    let (name, sections) = sections(whole, "domain")?;
    domain.name = name;
    domain.types.push(Type {
        name: "object".to_owned(),
        parents: Vec::new(),
    });
    domain.names.types.insert("object".to_owned(), OBJECT);

    // Names are declared before they are used, in whatever order the sections stand.
    const ORDER: [&str; 6] = [
        ":types",
        ":constants",
        ":predicates",
        ":task",
        ":action",
        ":method",
    ];
    for section in sections {
        let head = section.head().unwrap_or("").to_lowercase();
        if head != ":requirements" && !ORDER.contains(&head.as_str()) {
            let hint = match nearest(&head, ORDER.into_iter().chain([":requirements"])) {
                Some(name) => format!("did you mean {name}?"),
                None => format!("known here: :requirements, {}", ORDER.join(", ")),
            };
            let found = if head.is_empty() {
                "something that is no section".to_owned()
            } else {
                head
            };
            ledger.enter((section.place, format!("found {found}"), hint));
        }
    }
    let of = |wanted: &'static str| {
        sections
            .iter()
            .filter(move |section| {
                section
                    .head()
                    .is_some_and(|head| head.eq_ignore_ascii_case(wanted))
            })
            .map(|section| &section.list().unwrap_or(&[])[1..])
    };
    for items in of(":types") {
        let outcome = types(items, domain);
        ledger.take(outcome);
    }
    for items in of(":constants") {
        let outcome = objects(items, domain);
        ledger.take(outcome);
    }
    for item in of(":predicates").flatten() {
        let outcome = predicate(item, domain);
        ledger.take(outcome);
    }
    // First what all tasks are called, then what they do.
    for keyword in [":task", ":action"] {
        for items in of(keyword) {
            let outcome = declare_task(keyword, items, domain);
            ledger.take(outcome);
        }
    }
    for items in of(":action") {
        let outcome = action(items, domain);
        ledger.take(outcome);
    }
    for items in of(":method") {
        let outcome = method(items, domain);
        ledger.take(outcome);
    }
    Ok(())
}

fn problem_of(
    whole: &Expression<'_>,
    problem: &mut Problem,
    ledger: &mut Ledger<'_>,
) -> Outcome<()> {
    let (name, sections) = sections(whole, "problem")?;
    problem.name = name;
    for section in sections {
        if section
            .head()
            .is_some_and(|head| head.eq_ignore_ascii_case(":objects"))
        {
            let outcome = objects(&section.list().unwrap_or(&[])[1..], &mut problem.domain);
            ledger.take(outcome);
        }
    }
    let mut has_network = false;
    for section in sections {
        let items = section.must_be_list("a section")?;
        let head = section.head().unwrap_or("").to_lowercase();
        let rest = items.get(1..).unwrap_or(&[]);
        match head.as_str() {
            ":objects" | ":requirements" => {}
            ":domain" => {
                let name = rest.first().and_then(Expression::word).unwrap_or("");
                if !name.eq_ignore_ascii_case(&problem.domain.name) {
                    ledger.enter((
                        section.place,
                        format!("this problem is of the domain {name}"),
                        format!("the domain given is {}", problem.domain.name),
                    ));
                }
            }
            ":init" => {
                for item in rest {
                    match fact_of_init(item, &problem.domain) {
                        Ok(Some(fact)) => problem.init.push(fact),
                        Ok(None) => {}
                        Err(complaint) => ledger.enter(complaint),
                    }
                }
            }
            ":goal" => {
                let mut scope = Scope::new(&problem.domain, &[]);
                if let Some(item) = rest.first()
                    && let Some(goal) = ledger.take(scope.formula(item))
                {
                    problem.goal = goal;
                }
            }
            ":htn" | ":htnti" => {
                has_network = true;
                if let Some((parameters, constraints, subtasks)) =
                    ledger.take(first_network(rest, section.place, &problem.domain))
                {
                    problem.parameters = parameters;
                    problem.constraints = constraints;
                    problem.subtasks = subtasks;
                }
            }
            ":metric" => {}
            other => ledger.enter((
                section.place,
                format!("found {other:?}"),
                "known here: :domain, :objects, :htn, :init, :goal".to_owned(),
            )),
        }
    }
    if !has_network {
        ledger.enter((
            whole.place,
            "the problem has no first task network".to_owned(),
            "add (:htn :ordered-subtasks (and (task …)))".to_owned(),
        ));
    }
    for (what, facts) in too_much(problem) {
        ledger.enter((
            whole.place,
            format!("{what} speaks of {facts} facts, which nobody can look through"),
            "use fewer objects, or fewer variables of quantifiers at once".to_owned(),
        ));
    }
    Ok(())
}

fn types(items: Words<'_, '_>, domain: &mut Domain) -> Outcome<()> {
    let declare = |domain: &mut Domain, item: &Expression<'_>| -> Outcome<Id> {
        let name = item.must_be_word("the name of a type")?;
        let key = name.to_lowercase();
        if let Some(id) = domain.names.types.get(&key) {
            return Ok(*id);
        }
        if domain.types.len() > MOST_TYPES {
            return error(
                item.place,
                format!("there are more than {MOST_TYPES} types"),
                "use predicates of one argument for finer distinctions",
            );
        }
        let id = domain.types.len();
        domain.types.push(Type {
            name: name.to_owned(),
            parents: Vec::new(),
        });
        domain.names.types.insert(key, id);
        Ok(id)
    };
    for (item, _, parents) in typed(items, "the name of a type")? {
        let id = declare(domain, item)?;
        for parent in parents {
            // Types that only occur as parents are declared by that.
            let parent_id = declare(domain, parent)?;
            if parent_id == id {
                continue;
            }
            if domain.descends(parent_id, id) && id != OBJECT {
                return error(
                    parent.place,
                    format!("{} would descend from itself", domain.types[id].name),
                    "take this parent away",
                );
            }
            if id != OBJECT {
                domain.types[id].parents.push(parent_id);
            }
        }
    }
    // A type without a parent is an object.
    for id in 1..domain.types.len() {
        if domain.types[id].parents.is_empty() {
            domain.types[id].parents.push(OBJECT);
        }
    }
    Ok(())
}

fn objects(items: Words<'_, '_>, domain: &mut Domain) -> Outcome<()> {
    for (item, name, types) in typed(items, "the name of an object")? {
        let types = kinds(&types, domain)?;
        let key = name.to_lowercase();
        if let Some(id) = domain.names.objects.get(&key) {
            // Problems may repeat a constant of the domain.
            if domain.objects[*id].types == types {
                continue;
            }
            return error(
                item.place,
                format!("{name} is already declared with another type"),
                "use a different name",
            );
        }
        domain.names.objects.insert(key, domain.objects.len());
        domain.objects.push(Object {
            name: name.to_owned(),
            types,
        });
    }
    Ok(())
}

fn predicate(item: &Expression<'_>, domain: &mut Domain) -> Outcome<()> {
    let items = item.must_be_list("a predicate")?;
    let Some(first) = items.first() else {
        return error(item.place, "a predicate needs a name", "");
    };
    let name = first.must_be_word("the name of a predicate")?;
    let parameters = parameters(&items[1..], domain)?;
    let key = name.to_lowercase();
    if domain.names.predicates.contains_key(&key) {
        return error(
            first.place,
            format!("the predicate {name} is declared twice"),
            "",
        );
    }
    domain.names.predicates.insert(key, domain.predicates.len());
    domain.predicates.push(Predicate {
        name: name.to_owned(),
        parameters,
    });
    Ok(())
}

/// The parts of an action, task or method: `:keyword value` pairs after the name.
struct Parts<'a, 'text> {
    place: Place,
    name: &'text str,
    pairs: Vec<(String, &'a Expression<'text>)>,
}

impl<'a, 'text> Parts<'a, 'text> {
    fn of(items: Words<'a, 'text>, known: &[&str]) -> Outcome<Self> {
        let Some(first) = items.first() else {
            return error(Place { line: 1, column: 1 }, "a name is missing", "");
        };
        let name = first.must_be_word("a name")?;
        Ok(Self {
            place: first.place,
            name,
            pairs: pairs(&items[1..], known)?,
        })
    }

    fn get(&self, keyword: &str) -> Option<&'a Expression<'text>> {
        self.pairs
            .iter()
            .find(|(name, _)| name == keyword)
            .map(|(_, value)| *value)
    }

    fn parameters(&self, domain: &Domain) -> Outcome<Vec<Parameter>> {
        match self.get(":parameters") {
            Some(list) => parameters(list.must_be_list("parameters")?, domain),
            None => Ok(Vec::new()),
        }
    }
}

fn pairs<'a, 'text>(
    items: Words<'a, 'text>,
    known: &[&str],
) -> Outcome<Vec<(String, &'a Expression<'text>)>> {
    let mut all: Vec<(String, &Expression<'text>)> = Vec::new();
    let mut index = 0;
    while index < items.len() {
        let item = &items[index];
        let keyword = item
            .must_be_word("a keyword such as :precondition")?
            .to_lowercase();
        if !known.contains(&keyword.as_str()) {
            let hint = match nearest(&keyword, known.iter().copied()) {
                Some(name) => format!("did you mean {name}?"),
                None => format!("known here: {}", known.join(", ")),
            };
            return error(item.place, format!("found {keyword}"), hint);
        }
        if all.iter().any(|(name, _)| *name == keyword) {
            return error(item.place, format!("{keyword} stands here twice"), "");
        }
        let Some(value) = items.get(index + 1) else {
            return error(item.place, format!("nothing follows {keyword}"), "");
        };
        all.push((keyword, value));
        index += 2;
    }
    Ok(all)
}

const TASK_PARTS: [&str; 1] = [":parameters"];
const ACTION_PARTS: [&str; 3] = [":parameters", ":precondition", ":effect"];
const NETWORK_PARTS: [&str; 8] = [
    ":parameters",
    ":subtasks",
    ":tasks",
    ":ordered-subtasks",
    ":ordered-tasks",
    ":ordering",
    ":order",
    ":constraints",
];
const METHOD_PARTS: [&str; 10] = [
    ":parameters",
    ":task",
    ":precondition",
    ":subtasks",
    ":tasks",
    ":ordered-subtasks",
    ":ordered-tasks",
    ":ordering",
    ":order",
    ":constraints",
];

fn declare_task(keyword: &str, items: Words<'_, '_>, domain: &mut Domain) -> Outcome<()> {
    let is_action = keyword == ":action";
    let known: &[&str] = if is_action {
        &ACTION_PARTS
    } else {
        &TASK_PARTS
    };
    let parts = Parts::of(items, known)?;
    let parameters = parts.parameters(domain)?;
    if domain.task(parts.name).is_some() {
        return error(
            parts.place,
            format!("{} is declared twice", parts.name),
            "actions and tasks share their names",
        );
    }
    let key = parts.name.to_lowercase();
    domain.names.tasks.insert(key, domain.tasks.len());
    domain.tasks.push(Task {
        name: parts.name.to_owned(),
        parameters,
        body: if is_action {
            Body::Action {
                precondition: Formula::default(),
                effects: Vec::new(),
            }
        } else {
            Body::Compound(Vec::new())
        },
    });
    Ok(())
}

fn action(items: Words<'_, '_>, domain: &mut Domain) -> Outcome<()> {
    let parts = Parts::of(items, &ACTION_PARTS)?;
    // What could not be declared has been complained about.
    let Some(id) = domain.task(parts.name) else {
        return Ok(());
    };
    let mut scope = Scope::new(domain, &domain.tasks[id].parameters);
    let precondition = match parts.get(":precondition") {
        Some(formula) => scope.formula(formula)?,
        None => Formula::default(),
    };
    let mut effects = Vec::new();
    if let Some(effect) = parts.get(":effect") {
        scope.effects(effect, &Formula::default(), &mut Vec::new(), &mut effects)?;
    }
    domain.tasks[id].body = Body::Action {
        precondition,
        effects,
    };
    Ok(())
}

fn method(items: Words<'_, '_>, domain: &mut Domain) -> Outcome<()> {
    let parts = Parts::of(items, &METHOD_PARTS)?;
    let parameters = parts.parameters(domain)?;
    let mut scope = Scope::new(domain, &parameters);
    let Some(head) = parts.get(":task") else {
        return error(
            parts.place,
            format!("the method {} does not say which task it does", parts.name),
            "add :task (name ?arguments)",
        );
    };
    let Subtask { task, arguments } = scope.subtask(head)?;
    if domain.tasks[task].is_action() {
        return error(
            head.place,
            format!("{} is an action", domain.tasks[task].name),
            "methods do compound tasks, which are declared with :task",
        );
    }
    let mut all = Vec::new();
    for keyword in [":precondition", ":constraints"] {
        if let Some(formula) = parts.get(keyword) {
            all.push(scope.formula(formula)?);
        }
    }
    let precondition = match all.len() {
        1 => all.remove(0),
        _ => Formula::And(all),
    };
    let subtasks = network(&parts.pairs, &mut scope)?;
    if domain.method(parts.name).is_some() {
        return error(
            parts.place,
            format!("the method {} is declared twice", parts.name),
            "a plan names the methods it uses, so each needs a name of its own",
        );
    }
    let id = domain.methods.len();
    domain.names.methods.insert(parts.name.to_lowercase(), id);
    if let Body::Compound(methods) = &mut domain.tasks[task].body {
        methods.push(id);
    }
    domain.methods.push(Method {
        name: parts.name.to_owned(),
        parameters,
        task,
        arguments,
        precondition,
        subtasks,
    });
    Ok(())
}

fn first_network(
    items: Words<'_, '_>,
    place: Place,
    domain: &Domain,
) -> Outcome<(Vec<Parameter>, Formula, Vec<Subtask>)> {
    let parts = Parts {
        place,
        name: "",
        pairs: pairs(items, &NETWORK_PARTS)?,
    };
    let parameters = parts.parameters(domain)?;
    let mut scope = Scope::new(domain, &parameters);
    let constraints = match parts.get(":constraints") {
        Some(formula) => scope.formula(formula)?,
        None => Formula::default(),
    };
    let subtasks = network(&parts.pairs, &mut scope)?;
    Ok((parameters, constraints, subtasks))
}

/// The subtasks in the order they are to be done.
fn network(pairs: &[(String, &Expression<'_>)], scope: &mut Scope<'_>) -> Outcome<Vec<Subtask>> {
    let get = |keywords: [&str; 2]| {
        pairs
            .iter()
            .find(|(name, _)| keywords.contains(&name.as_str()))
            .map(|(_, value)| *value)
    };
    if let Some(list) = get([":ordered-subtasks", ":ordered-tasks"]) {
        return Ok(scope
            .subtasks(list)?
            .into_iter()
            .map(|named| named.1)
            .collect());
    }
    let Some(list) = get([":subtasks", ":tasks"]) else {
        return Ok(Vec::new());
    };
    let named = scope.subtasks(list)?;
    let count = named.len();
    let mut before = vec![vec![false; count]; count];
    if let Some(ordering) = get([":ordering", ":order"]) {
        let items = ordering.must_be_list("an ordering")?;
        let single = ordering.head() == Some("<");
        let pairs = if single {
            std::slice::from_ref(ordering)
        } else {
            items.get(1..).unwrap_or(&[])
        };
        for pair in pairs {
            let Some([_, first, second]) = pair.list().filter(|_| pair.head() == Some("<")) else {
                return error(pair.place, "expected (< id id)", "");
            };
            let index = |item: &Expression<'_>| {
                let id = item.must_be_word("the id of a subtask")?;
                match named
                    .iter()
                    .position(|(name, _)| name.is_some_and(|name| name.eq_ignore_ascii_case(id)))
                {
                    Some(index) => Ok(index),
                    None => error(
                        item.place,
                        format!("no subtask here has the id {id}"),
                        suggest(id, named.iter().filter_map(|(name, _)| *name)),
                    ),
                }
            };
            before[index(first)?][index(second)?] = true;
        }
    }
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                before[from][to] |= before[from][middle] && before[middle][to];
            }
        }
    }
    let pairs = (0..count).flat_map(|one| (0..one).map(move |other| (one, other)));
    for (one, other) in pairs {
        if before[one][other] == before[other][one] {
            return error(
                list.place,
                if before[one][other] {
                    "these subtasks are ordered in a circle"
                } else {
                    "these subtasks have no total order"
                },
                "only totally ordered networks are read: write :ordered-subtasks, \
                 or an :ordering that puts any two of them in order",
            );
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|index| before[*index].iter().filter(|after| !**after).count());
    let mut named: Vec<Option<Subtask>> = named.into_iter().map(|entry| Some(entry.1)).collect();
    Ok(order
        .into_iter()
        .filter_map(|index| named[index].take())
        .collect())
}

fn fact_of_init(item: &Expression<'_>, domain: &Domain) -> Outcome<Option<(Id, Vec<Id>)>> {
    if item
        .head()
        .is_some_and(|head| head.eq_ignore_ascii_case("not") || head == "=")
    {
        // What is not said to be true is false; numbers (action costs) are not used.
        return Ok(None);
    }
    let mut scope = Scope::new(domain, &[]);
    let Formula::Fact(predicate, terms) = scope.formula(item)? else {
        return error(
            item.place,
            "expected a fact",
            "the first state is a list of facts such as (at truck depot)",
        );
    };
    let objects = terms
        .into_iter()
        .filter_map(|term| match term {
            Term::Object(object) => Some(object),
            Term::Variable(_) => None,
        })
        .collect();
    Ok(Some((predicate, objects)))
}
