//! Tasks, methods and networks.

use super::expressions::{Scope, count};
use super::{Checker, suggest};
use crate::language::format::show_lvalue;
use crate::language::tree::{
    BinderChoice, BranchBody, BranchThen, FunctionKind, MethodDecl, NetExpr, Stmt, StmtKind,
    TaskBody, TaskDecl,
};
use crate::model::{
    self, Binder, Block, Body, Branch, Choice, Comparison, Effect, Method, Net, Primitive, Span,
    Then, ValueType, Variable,
};

/// What the statements around an assignment say about it.
#[derive(Clone, Default)]
struct Around {
    vars: Vec<Variable>,
    when: Vec<model::Expr>,
}

impl Checker<'_> {
    pub(super) fn declare_task(&mut self, task: &TaskDecl, span: Span) {
        if !self.is_new("task", &task.name) {
            return;
        }
        // Wrong types are reported when the body is checked.
        let reported = self.wrong.len();
        let mut scope = Scope::default();
        let params = self.enter(&task.params, &mut scope, true);
        self.wrong.truncate(reported);
        self.tasks
            .insert(task.name.text.clone(), self.model.tasks.len() as u32);
        self.model.tasks.push(model::Task {
            name: task.name.text.clone(),
            params,
            slots: 0,
            body: Body::Compound(Vec::new()),
            span: Span {
                end: task.name.at.0.end,
                ..span
            },
        });
    }

    pub(super) fn check_task(&mut self, number: usize, task: &TaskDecl) {
        let mut scope = Scope::default();
        self.enter(&task.params, &mut scope, true);
        let body = match &task.body {
            TaskBody::Primitive(cost, statements) => {
                let mut primitive = Primitive::default();
                if let Some(cost) = cost {
                    primitive.cost = self.numeric(cost, &mut scope, "a cost");
                }
                if statements.is_empty() {
                    self.warn(
                        "W043",
                        task.name.at.0,
                        format!("`{}` changes nothing and needs nothing", task.name.text),
                        "is something missing?",
                    );
                }
                let mut assigned: Vec<(String, String, Span)> = Vec::new();
                self.statements(
                    statements,
                    &Around::default(),
                    &mut scope,
                    &mut primitive,
                    &mut assigned,
                );
                Body::Primitive(primitive)
            }
            TaskBody::Compound(methods) => {
                let methods = methods
                    .iter()
                    .enumerate()
                    .map(|(index, method)| self.method(index, method, &mut scope));
                Body::Compound(methods.collect())
            }
        };
        let known = &mut self.model.tasks[number];
        known.slots = scope.slots;
        known.body = body;
    }

    fn statements(
        &mut self,
        statements: &[Stmt],
        around: &Around,
        scope: &mut Scope,
        primitive: &mut Primitive,
        assigned: &mut Vec<(String, String, Span)>,
    ) {
        let is_inside = !around.vars.is_empty() || !around.when.is_empty();
        for statement in statements {
            let span = statement.at.0;
            match &statement.kind {
                StmtKind::Condition(expr) => {
                    if is_inside {
                        self.error(
                            "E001",
                            span,
                            "there can be no condition here",
                            "only assignments: `variable := value;`",
                        );
                        continue;
                    }
                    primitive.conditions.extend(self.condition(expr, scope));
                }
                StmtKind::Transition(target, old, new) => {
                    if is_inside {
                        self.error(
                            "E001",
                            span,
                            "there can be no transition here",
                            "only assignments: `variable := value;`",
                        );
                        continue;
                    }
                    if old == new {
                        self.warn(
                            "W033",
                            span,
                            "the old and the new value are the same",
                            "a condition says the same: `variable == value;`",
                        );
                    }
                    let Some((function, args, result)) = self.lvalue(target, scope) else {
                        continue;
                    };
                    let old = self.expr_for(old, result, scope);
                    let new = self.expr_for(new, result, scope);
                    let (Some(old), Some(new)) = (old, new) else {
                        continue;
                    };
                    let left = model::Expr {
                        kind: model::ExprKind::Function(function, args.clone()),
                        ty: result,
                        span: target.at.0,
                    };
                    primitive.conditions.push(model::Expr {
                        kind: model::ExprKind::Compare(
                            Comparison::Equal,
                            Box::new(left),
                            Box::new(old),
                        ),
                        ty: ValueType::Bool,
                        span,
                    });
                    self.assignable(function, target.name.at.0);
                    self.assign_once(show_lvalue(target), format!("{new:?}"), span, assigned);
                    primitive.effects.push(Effect {
                        vars: Vec::new(),
                        when: None,
                        function,
                        args,
                        value: new,
                        span,
                    });
                }
                StmtKind::Assign(target, value) => {
                    let Some((function, args, result)) = self.lvalue(target, scope) else {
                        continue;
                    };
                    let Some(value) = self.expr_for(value, result, scope) else {
                        continue;
                    };
                    self.assignable(function, target.name.at.0);
                    if !is_inside {
                        self.assign_once(show_lvalue(target), format!("{value:?}"), span, assigned);
                    }
                    primitive.effects.push(Effect {
                        vars: around.vars.clone(),
                        when: match around.when.as_slice() {
                            [] => None,
                            [one] => Some(one.clone()),
                            many => Some(model::Expr::all(many.to_vec())),
                        },
                        function,
                        args,
                        value,
                        span,
                    });
                }
                StmtKind::When(when, inner) => {
                    let mut around = around.clone();
                    around.when.extend(self.condition(when, scope));
                    if around.when.is_empty() {
                        continue;
                    }
                    self.statements(inner, &around, scope, primitive, assigned);
                }
                StmtKind::Forall(params, when, inner) => {
                    let vars = self.enter(params, scope, false);
                    let mut around = around.clone();
                    around.vars.extend(vars.iter().cloned());
                    if let Some(when) = when {
                        around.when.extend(self.condition(when, scope));
                    }
                    self.statements(inner, &around, scope, primitive, assigned);
                    self.leave(vars.len(), scope);
                }
            }
        }
    }

    fn assignable(&mut self, function: u32, span: Span) {
        if self.kinds[function as usize] == FunctionKind::Constant {
            let name = self.model.functions[function as usize].name.clone();
            self.error(
                "E030",
                span,
                format!("`{name}` is a constant"),
                "declare it as `fluent` to change it",
            );
        }
    }

    fn assign_once(
        &mut self,
        target: String,
        value: String,
        span: Span,
        assigned: &mut Vec<(String, String, Span)>,
    ) {
        // The places of the values do not matter.
        let known = assigned.iter().find(|(known, _, _)| *known == target);
        if let Some((_, _, first)) = known {
            let place = self.model.place(*first);
            let place = place.map_or(String::new(), |place| format!("the first is at {place}"));
            self.error("E032", span, format!("`{target}` gets two values"), place);
            return;
        }
        assigned.push((target, value, span));
    }

    fn method(&mut self, index: usize, method: &MethodDecl, scope: &mut Scope) -> Method {
        let head = Span {
            end: method.at.0.start + 6,
            ..method.at.0
        };
        let name = match &method.name {
            Some(name) => name.text.clone(),
            None => {
                self.warn(
                    "W045",
                    head,
                    "this method has no name",
                    "name it after when it is used: explanations of plans will be readable",
                );
                format!("method_{}", index + 1)
            }
        };
        let mut branches = Vec::new();
        let mut unconditional: Option<Span> = None;
        for branch in &method.branches {
            if unconditional.is_some() {
                self.warn(
                    "W052",
                    Span {
                        end: branch.at.0.start + 6,
                        ..branch.at.0
                    },
                    "this branch is never used: one before it asks for nothing",
                    "branches are else-if; for alternatives write another `method`",
                );
            }
            let Some(block) = self.block(&branch.body, scope) else {
                continue;
            };
            let is_certain = block.conditions.iter().all(model::Expr::is_true)
                && matches!(block.then, Then::Network(_));
            if is_certain {
                unconditional = Some(branch.at.0);
            }
            branches.push(Branch {
                name: branch.name.as_ref().map(|name| name.text.clone()),
                block,
                span: branch.at.0,
            });
        }
        Method {
            name,
            branches,
            span: head,
        }
    }

    fn block(&mut self, body: &BranchBody, scope: &mut Scope) -> Option<Block> {
        let conditions: Vec<_> = body
            .conditions
            .iter()
            .map(|condition| self.condition(condition, scope))
            .collect();
        let then = match &body.then {
            BranchThen::Missing(at) => {
                self.error(
                    "E042",
                    at.0,
                    "this branch does not say what to do",
                    "end it with `ordered(…);` or `unordered(…);`",
                );
                None
            }
            BranchThen::Network(net) => self.net(net, scope).map(Then::Network),
            BranchThen::Bind(binder) => {
                let vars = self.enter(&binder.params, scope, false);
                let choice = match &binder.choice {
                    BinderChoice::Exists => Some(Choice::Each),
                    BinderChoice::First => Some(Choice::First),
                    BinderChoice::Ascending(key) => self
                        .numeric(key, scope, "a sort key")
                        .map(Choice::Ascending),
                    BinderChoice::Descending(key) => self
                        .numeric(key, scope, "a sort key")
                        .map(Choice::Descending),
                };
                let block = self.block(&binder.body, scope);
                self.leave(vars.len(), scope);
                match (choice, block) {
                    (Some(choice), Some(block)) => Some(Then::Bind(Box::new(Binder {
                        choice,
                        vars,
                        block,
                    }))),
                    _ => None,
                }
            }
        };
        Some(Block {
            conditions: conditions.into_iter().collect::<Option<Vec<_>>>()?,
            then: then?,
        })
    }

    pub(super) fn net(&mut self, net: &NetExpr, scope: &mut Scope) -> Option<Net> {
        let mut list = |nets: &[NetExpr]| {
            let nets: Vec<_> = nets.iter().map(|net| self.net(net, scope)).collect();
            nets.into_iter().collect::<Option<Vec<_>>>()
        };
        match net {
            NetExpr::Ordered(nets, _) => list(nets).map(Net::Ordered),
            NetExpr::Unordered(nets, _) => list(nets).map(Net::Unordered),
            NetExpr::Task(name, args) => {
                let Some(&task) = self.tasks.get(&name.text) else {
                    let mut hint = suggest(&name.text, self.tasks.keys().map(String::as_str));
                    if hint.is_empty() && self.functions.contains_key(&name.text) {
                        hint = "a state variable cannot be done; use it as a condition".to_owned();
                    }
                    self.error(
                        "E044",
                        name.at.0,
                        format!("there is no task called `{}`", name.text),
                        hint,
                    );
                    return None;
                };
                let params: Vec<ValueType> = self.model.tasks[task as usize]
                    .params
                    .iter()
                    .map(|param| param.ty)
                    .collect();
                if args.len() != params.len() {
                    self.error(
                        "E044",
                        name.at.0,
                        format!(
                            "`{}` has {}, but here it gets {}",
                            name.text,
                            count(params.len(), "parameter"),
                            count(args.len(), "argument")
                        ),
                        "",
                    );
                    return None;
                }
                let args: Vec<_> = args
                    .iter()
                    .zip(params)
                    .map(|(arg, param)| self.expr_for(arg, param, scope))
                    .collect();
                Some(Net::Task(task, args.into_iter().collect::<Option<_>>()?))
            }
        }
    }
}
