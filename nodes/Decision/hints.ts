import type { NodeHint } from 'n8n-workflow';

/** Shown in the editor before the node has run. */
export const hints: NodeHint[] = [
	{
		message:
			'Quick decisions are in an alpha stage: the service may change or withdraw them. Long inputs cost accuracy, so send only what the questions are about.',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
	},
	{
		message:
			"Items without a clear answer, and failed ones under 'Continue', leave by 'Uncertain': connect it to a person or a review list",
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: '={{ $parameter["operation"] === "route" }}',
	},
];
