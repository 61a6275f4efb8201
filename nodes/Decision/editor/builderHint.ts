import type { INodeTypeDescription } from 'n8n-workflow';

const ROUTING = `
Outputs of "route", by index:
- 0: Uncertain. Every answer that is not clear, and with onError "continueRegularOutput" every failed item. Connect it to a person or a review list.
- yes or no question: 1 Yes, 2 No
- choice: 1 its first option, 2 its second, and so on, in the order given
- tags: 1 None (no option applies), 2 its first option, and so on; an item leaves by the output of each option that applies
- score: 1 its lowest level, 2 the next, and so on
So sort.output(0).to(person), sort.output(1).to(firstOption), sort.output(2).to(secondOption).
"ask" and "evaluate" have one output. "evaluate" sends nothing to the service: it compares answers that the items already hold with
what a person expected, and reports how often they agree, and from which confidence on: recommended_threshold, of the whole and in
classes of each option, is a value for minConfidence.

Thresholds decide what is uncertain: add routing.minConfidence (such as 0.7) for a choice or a score; left out, every answer is clear.
An option of a choice may have its own minConfidence, beside its name and description, which goes before routing.minConfidence.
For yes or no and for tags, add routing.yesAtLeast (such as 0.8) and routing.noBelow (such as 0.2): what lies between them is
uncertain, and below noBelow is a clear No. Left out, each is 0.5, and every answer is clear.
With "route", each id, type, option name and level is a fixed text, never an expression. instructions may be an expression.
routeQuestion is the id of the question that chooses the output; leave it out for the first one.
In decisionTool, stateSource is "text" if it is left out; stateText is then fromAi('text', 'The text to judge').`;

const ANSWERS = `
Columns that are added to the input item, by question type:
- noul (yes or no): <id> is the probability of yes, from 0 to 1; <id>_yes is true or false
- choice: <id> is the option chosen; <id>_confidence
- tags (several options may apply, or none): <id> is the list of the options that apply; <id>_text joins them with commas
- score: <id> is the rating, 0 for the lowest level; <id>_level is the nearest level's description; <id>_confidence
- "route" also adds route: the label of the output taken, for tags the list of labels`;

/** n8n's AI workflow builder and its MCP server read these texts about the node, besides its properties. */
export const builderHint: INodeTypeDescription['builderHint'] = {
	searchHint:
		'Classify, triage, moderate, rate or route items with quick decisions instead of a prompt: a yes-or-no question with a probability, one of several options, any number of them (tags, labels), or a rating on a scale, several questions at once. Operation "ask" adds the answers to the item. Operation "route" sends each item to the output of its answer: output 0 is always Uncertain, so connect it to a person or a review list; the answers begin at output 1, in the order of the options. As a tool of an agent (n8n-nodes-inference-service.decisionTool) only "ask" is offered.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-base.dataTable',
			relationHint: 'Keeps what goes to output 0 (Uncertain) as a list for a person to review',
		},
		{
			nodeType: '@n8n/n8n-nodes-langchain.agent',
			relationHint: 'Uses n8n-nodes-inference-service.decisionTool as a tool',
		},
		{
			nodeType: 'n8n-nodes-inference-service.message',
			relationHint: 'Writes text, such as the reply to a message that was classified',
		},
	],
	extraTypeDefContent: [{ content: [ROUTING, ANSWERS].join('\n') }],
};
