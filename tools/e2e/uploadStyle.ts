/** The emulator accepts any name of a model for voices. */
export const VOICE_MODEL = 'acme/voice-1';

/** Uploads a voice style to the service. Returns its URI. */
export async function uploadStyle(
	service: { url: string; key: string },
	customName: string,
): Promise<string> {
	const form = new FormData();
	form.append('model', VOICE_MODEL);
	form.append('customName', customName);
	form.append('text', 'The quick brown fox');
	form.append('audio', new Blob(['audio']), 'audio.mp3');
	const response = await fetch(`${service.url}/uploads/audio/voice`, {
		method: 'POST',
		headers: { authorization: `Bearer ${service.key}` },
		body: form,
		signal: AbortSignal.timeout(5000),
	});
	return ((await response.json()) as { uri: string }).uri;
}
