import { maskKey } from '../../client/response/maskKey';

test('maskKey masks the key as it is written, if it has eight characters or more', () => {
	expect(maskKey('Bearer sk-$&4711, sk-$&4711!', 'sk-$&4711')).toBe('Bearer *****, *****!');
	expect(maskKey('SK-$&4711 sk%2D4711', 'sk-$&4711')).toBe('SK-$&4711 sk%2D4711');
	expect(maskKey('the key is sk-47114', 'sk-47114')).toBe('the key is *****');
	expect(maskKey('the key is sk-4711', 'sk-4711')).toBe('the key is sk-4711');
	expect(maskKey('a word', '')).toBe('a word');
});
