import type { Locator, Page } from 'playwright-core';

/** One picture of an animation, as a WebP file. */
interface Frame {
	webp: Buffer;
	durationMs: number;
}

const QUALITY = 0.85;

/** Makes an animated WebP of a page, picture by picture. The browser compresses the pictures. */
export class Recorder {
	private readonly frames: Frame[] = [];

	private constructor(
		private readonly page: Page,
		/** The page in which pictures are compressed: a separate one, without the content rules of the recorded page. */
		private readonly workshop: Page,
		/** The width in pixels. */
		private readonly width: number,
		private readonly height: number,
	) {}

	/** @param width of the animation, in pixels; its height follows from that of the window */
	static async of(page: Page, width: number): Promise<Recorder> {
		const workshop = await page.context().newPage();
		await page.bringToFront();
		await showPointer(page);
		const size = page.viewportSize()!;
		return new Recorder(page, workshop, width, Math.round((size.height * width) / size.width));
	}

	/** Adds what the page shows now, for this many milliseconds. */
	async add(durationMs: number): Promise<void> {
		const png = await this.page.screenshot();
		const webp = await this.workshop.evaluate(
			async ({ base64, width, height, quality }) => {
				const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
				const bitmap = await createImageBitmap(new Blob([bytes]), {
					resizeWidth: width,
					resizeHeight: height,
					resizeQuality: 'high',
				});
				const canvas = new OffscreenCanvas(width, height);
				canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
				const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
				return [...new Uint8Array(await blob.arrayBuffer())];
			},
			{ base64: png.toString('base64'), width: this.width, height: this.height, quality: QUALITY },
		);
		this.frames.push({ webp: Buffer.from(webp), durationMs });
	}

	/** Shows how the mouse moves to an element, and rests there. */
	async moveTo(target: Locator, steps = 4): Promise<void> {
		const box = (await target.boundingBox())!;
		const end = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
		const start = await this.page.evaluate(() => {
			const pointer = document.querySelector<HTMLElement>('#recorded-pointer');
			return { x: parseFloat(pointer?.style.left ?? '0'), y: parseFloat(pointer?.style.top ?? '0') };
		});
		for (let step = 1; step <= steps; step++) {
			const part = step / steps;
			await this.page.mouse.move(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part);
			await this.add(step === steps ? 250 : 90);
		}
	}

	/** The animation of all pictures so far. */
	toWebp(): Buffer {
		return toAnimation(this.frames, this.width, this.height);
	}

	async close(): Promise<void> {
		await this.workshop.close();
	}
}

/** Draws the mouse on the page, because a picture of the page does not show it. */
async function showPointer(page: Page): Promise<void> {
	await page.evaluate(() => {
		const pointer = document.createElement('div');
		pointer.id = 'recorded-pointer';
		pointer.style.cssText = `position: fixed; z-index: 100000; pointer-events: none; left: 0; top: 0; width: 18px; height: 26px;
			background: #222; clip-path: polygon(0 0, 0 75%, 28% 62%, 50% 100%, 68% 92%, 47% 56%, 90% 54%);`;
		document.body.append(pointer);
		document.addEventListener(
			'mousemove',
			({ clientX, clientY }) => {
				pointer.style.left = `${clientX}px`;
				pointer.style.top = `${clientY}px`;
			},
			true,
		);
	});
}

const LOOPS_FOR_EVER = 0;

/** A frame covers the one before it, rather than being blended with it. */
const COVERS = 0b10;

const IS_ANIMATED = 0b10;

/** Puts still pictures into the container that https://developers.google.com/speed/webp/docs/riff_container describes. */
function toAnimation(frames: Frame[], width: number, height: number): Buffer {
	const size = [uint24(width - 1), uint24(height - 1)];
	const chunks = [
		chunk('VP8X', Buffer.from([IS_ANIMATED, 0, 0, 0]), ...size),
		chunk('ANIM', Buffer.from([255, 255, 255, 255, LOOPS_FOR_EVER, 0])),
		...frames.map(({ webp, durationMs }) =>
			chunk(
				'ANMF',
				uint24(0),
				uint24(0),
				...size,
				uint24(durationMs),
				Buffer.from([COVERS]),
				pictureIn(webp),
			),
		),
	];
	return chunk('RIFF', Buffer.from('WEBP'), ...chunks);
}

/** The chunk of a WebP file that holds its picture, lossy or not. */
function pictureIn(webp: Buffer): Buffer {
	for (let start = 12; start < webp.length;) {
		const name = webp.toString('latin1', start, start + 4);
		const end = start + 8 + webp.readUInt32LE(start + 4);
		const paddedEnd = end + (end % 2);
		if (name === 'VP8 ' || name === 'VP8L') return webp.subarray(start, paddedEnd);
		start = paddedEnd;
	}
	throw new Error('No picture in this WebP');
}

function chunk(name: string, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const length = Buffer.alloc(4);
	length.writeUInt32LE(content.length);
	return Buffer.concat([Buffer.from(name), length, content, Buffer.alloc(content.length % 2)]);
}

function uint24(value: number): Buffer {
	const bytes = Buffer.alloc(3);
	bytes.writeUIntLE(value, 0, 3);
	return bytes;
}
