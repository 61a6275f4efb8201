import { ConnectionMemory, type Outputs } from '../../nodes/shared/service/ConnectionMemory';

const MAX_NODES = 1000;

const outputs = (...labels: string[]): Outputs => ({
	list: labels.map((label, index) => ({
		label,
		isForErrors: false,
		targets: [{ id: `node-${index}`, name: `Node ${index}`, input: 0 }],
	})),
	source: 'topic',
});

test('1,000 nodes are remembered, and the one whose latest run is longest ago is forgotten first', () => {
	const memory = new ConnectionMemory();
	const run = (node: string, ...labels: string[]) => memory.compare(node, true, outputs(...labels));
	for (let index = 0; index < MAX_NODES; index++) run(`${index}`, 'keys', 'rent');
	run('0', 'keys', 'rent');
	run('new', 'keys', 'rent');
	expect(run('0', 'rent', 'keys')).toHaveLength(2);
	expect(run('2', 'rent', 'keys')).toHaveLength(2);
	expect(run('1', 'rent', 'keys')).toEqual([]);
});
