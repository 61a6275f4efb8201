import type { IExecuteFunctions } from 'n8n-workflow';

import { RunAnswers } from '../../../client/answers/RunAnswers';
import { TokenBudget } from '../../../client/TokenBudget';
import type { ReuseAnswers } from '../fields/paidOnceFields';
import { answerStore } from '../http/answerStore';

interface SpendingOptions {
	context: IExecuteFunctions;
	/** Whether equal requests have equal answers. */
	equalAnswers: boolean;
	reuse: ReuseAnswers;
	/** In tokens; undefined for no limit. */
	tokenBudget: number | undefined;
}

/** What one run of a node pays for: which answers it can reuse, and how many tokens it may use. */
export class Spending {
	readonly answers: RunAnswers | undefined;

	readonly budget: TokenBudget | undefined;

	constructor({ context, equalAnswers, reuse, tokenBudget }: SpendingOptions) {
		const { id: workflowId } = context.getWorkflow();
		const { id: nodeId } = context.getNode();
		const mode = context.getMode();
		const owner = [workflowId ?? '', nodeId];
		const run = () => {
			const executionId = context.getExecutionId();
			if (!executionId) return undefined;
			// All tries of "Retry On Fail" have the same index; the passes of a loop do not.
			const runIndex: unknown = context.evaluateExpression('{{ $runIndex }}', 0);
			return JSON.stringify([...owner, executionId, runIndex]);
		};
		if (reuse !== 'never') {
			this.answers = new RunAnswers({
				store: workflowId ? answerStore : undefined,
				owner,
				run,
				isByHand: mode === 'manual' || mode === 'retry',
				shares: equalAnswers,
				keepsAlways: reuse === 'hour',
			});
		}
		if (tokenBudget !== undefined) this.budget = TokenBudget.ofRun(run(), tokenBudget);
	}
}
