import { storedTypes } from '../../nodes/Decision/editor/storedTypes';
import { questionTypes } from '../../nodes/Decision/questions/questionTypes';

/** Makes a question of this type for a run, with these names as its options or levels. */
function ask(type: (typeof questionTypes)[number], names: string[]) {
	return type.fromFields(
		{
			id: 'topic',
			instructions: 'What is it about?',
			options: names.map((name) => ({ name, description: '' })),
			levels: names.map((name) => ({ description: name })),
		},
		(id) => id,
	);
}

const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `entry ${count - index}`);

const storedTypeOf = (value: string) => storedTypes().find((stored) => stored.value === value)!;

test('the editor knows the types of a run, and one more for a value that no type has', () => {
	const known = storedTypes().map(({ value }) => value);
	expect(known.sort()).toEqual(['', ...questionTypes.map(({ value }) => value)].sort());
});

test.each(questionTypes)('the editor shows the outputs of a run for the type $value', (type) => {
	for (const names of [namesOf(2), namesOf(10), ['10', '2', 'é'], ['None of these', 'Yes']]) {
		expect(storedTypeOf(type.value).outputsOf(names)).toEqual(ask(type, names).outputs);
	}
});

test.each(questionTypes)('the editor finds as many entries enough as a run, for the type $value', (type) => {
	for (let count = 0; count <= 12; count++) {
		const isEnough = storedTypeOf(type.value).isEnough(namesOf(count));
		const asking = () => ask(type, namesOf(count));
		if (isEnough) expect(asking).not.toThrow();
		else expect(asking).toThrow('must have');
	}
});
