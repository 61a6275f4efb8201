import { ExecutionBudget, WaitBudget } from '../../client/limiter/WaitBudget';

test('an execution waits while at least one of its calls does', () => {
	const execution = new ExecutionBudget();
	expect(execution.waitedMs(1000)).toBe(0);
	execution.waitBegins(1000);
	execution.waitBegins(2000);
	expect(execution.waitedMs(2500)).toBe(1500);
	execution.waitEnds(3000);
	expect(execution.waitedMs(3500)).toBe(2500);
	execution.waitEnds(4000);
	expect(execution.waitedMs(9000)).toBe(3000);
	execution.waitBegins(10_000);
	expect(execution.waitedMs(10_500)).toBe(3500);
	execution.waitEnds(11_000);
	expect(execution.waitedMs(12_000)).toBe(4000);
});

test('what an item has waited is no longer left', () => {
	const execution = new ExecutionBudget();
	const budget = new WaitBudget(execution, 5000);
	expect(budget.leftMs).toBe(5000);
	budget.waitedMs += 2000;
	expect(budget.leftMs).toBe(3000);
	expect(budget).toMatchObject({ execution, started: false, attempts: 0, refusedInARow: 0, refusedAlone: 0 });
	expect([budget.notBeforeMs, execution.refusals]).toEqual([-Infinity, 0]);
});
