import type { IExecuteFunctions } from 'n8n-workflow';

import { RunAnswers } from '../../../client/answers/RunAnswers';
import type { TokenBudget } from '../../../client/TokenBudget';
import type { ReuseAnswers } from '../fields/paidOnceFields';
import { once } from '../fields/once';
import { processState } from '../http/processState';

/** What one run of a node pays for: which answers it can reuse, and how many tokens it may use. */
export class Spending {
	readonly answers: RunAnswers | undefined;

	readonly budget: TokenBudget | undefined;

	/**
	 * @param equalAnswers whether equal requests have equal answers
	 * @param tokenBudget undefined for no limit
	 */
	constructor(
		context: IExecuteFunctions,
		equalAnswers: boolean,
		reuse: ReuseAnswers,
		tokenBudget: number | undefined,
	) {
		const { id: workflowId } = context.getWorkflow();
		const { id: nodeId } = context.getNode();
		const run = once(() => ({
			executionId: context.getExecutionId() || undefined,
			index: context.evaluateExpression('{{ $runIndex }}', 0),
		}));
		if (reuse !== 'never') {
			this.answers = new RunAnswers({
				store: workflowId ? processState.answers : undefined,
				owner: [workflowId ?? '', nodeId],
				run,
				isManual: context.getMode() === 'manual',
				shares: equalAnswers,
			});
		}
		if (tokenBudget !== undefined) {
			const { executionId, index } = run();
			const execution = executionId && JSON.stringify([workflowId, nodeId, executionId]);
			this.budget = processState.tokenBudgets.of(execution, index, tokenBudget);
		}
	}
}
