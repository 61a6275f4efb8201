import { CredentialTestContext, ExecuteContext, PollContext } from 'n8n-core';
import * as n8n from 'n8n-workflow';

interface Capability {
	isThere(): boolean;
	/** Holds the effect on an n8n without the feature, for the table in docs/versions.md. */
	without: string;
}

/** Some older versions of n8n lack these features, although the package runs on them. */
export const CAPABILITIES = {
	tokenDisplay: {
		isThere: () => 'accumulateTokenUsage' in n8n,
		without: "no tokens in n8n's display",
	},
	toolDescription: {
		isThere: () => n8n.NodeHelpers.getToolDescriptionForNode?.length >= 3,
		without: "a tool's description says what its node does, not its operation or questions",
	},
	redaction: {
		isThere: () => 'isConsoleOutputRedacted' in ExecuteContext.prototype,
		without: 'no redaction of data',
	},
	pollBudget: {
		// It is set in the constructor, so the prototype does not have it.
		isThere: () => PollContext.toString().includes('getPollBudgetMs'),
		without: 'no limit on how long a poll may take',
	},
	combinedBinaryMode: {
		isThere: () => 'BINARY_MODE_COMBINED' in n8n,
		without: 'no files that are named by their path in the JSON',
	},
	protectedCredentialTest: {
		isThere: () => CredentialTestContext.length > 0,
		without: "n8n's network rules do not apply to the test of a credential",
	},
	causeOfFailure: {
		isThere: () => new n8n.NodeApiError({} as n8n.INode, new Error('cause') as never).cause !== undefined,
		without:
			'a request that must not be carried out twice is not sent again after its connection broke, because n8n does not tell whether a response had begun',
	},
	aiNodeSdk: {
		isThere: () => canLoad('@n8n/ai-node-sdk'),
		without: 'no chat model',
	},
} satisfies Record<string, Capability>;

/**
 * Returns `test` on an n8n that has the capability, else a `test` that skips. `test/nodes/savedWorkflows.test.ts` checks that the
 * installed n8n has all capabilities.
 */
export function testWhere(capability: keyof typeof CAPABILITIES): typeof test {
	return CAPABILITIES[capability].isThere() ? test : test.skip;
}

function canLoad(module: string): boolean {
	try {
		jest.requireActual(module);
		return true;
	} catch {
		return false;
	}
}
