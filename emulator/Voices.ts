import type { Voice } from '../contract/types';

/** Represents the caller's voice styles, in the order of their upload. */
export class Voices {
	private readonly byUri = new Map<string, Voice>();

	/** Adds a style. `id` becomes the last part of its URI. */
	add(style: Omit<Voice, 'uri'>, id: string): Voice {
		const voice = { ...style, uri: `speech:${style.customName}:emulated:${id}` };
		this.byUri.set(voice.uri, voice);
		return voice;
	}

	list(): Voice[] {
		return [...this.byUri.values()];
	}

	/** Deletes a style. Returns whether there was one. */
	delete(uri: string): boolean {
		return this.byUri.delete(uri);
	}
}
