import { makeConnectedTools } from '../nodes/Message/connectedTools';
import type { Execution } from '../nodes/shared/run/Execution';

test('if the node has no input for tools, n8n is not asked for any', async () => {
	const context = {
		getNodeInputs: () => [{ type: 'main' }],
		getInputConnectionData: () => {
			throw new Error('This node has no such input');
		},
	};
	expect(await makeConnectedTools({ context } as unknown as Execution)).toEqual(new Map());
});
