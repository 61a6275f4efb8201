import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface Mail {
	to: string;
	subject: string;
	html: string;
}

const LOOPBACK = '127.0.0.1';

/** Takes every mail that is sent to it, delivers none, and shows them on a page. */
export class Mailbox {
	/** Holds the mails, in the order in which they came. */
	readonly mails: Mail[] = [];
	private readonly sockets = new Set<Socket>();

	private constructor(
		private readonly smtp: Server,
		private readonly http: HttpServer,
	) {}

	static async start(): Promise<Mailbox> {
		const smtp = createServer();
		const http = createHttpServer();
		const mailbox = new Mailbox(smtp, http);
		smtp.on('connection', (socket) => mailbox.receive(socket));
		http.on('request', (_request, response) => {
			response.setHeader('content-type', 'text/html; charset=utf-8').end(mailbox.page());
		});
		for (const server of [smtp, http]) await once(server.listen(0, LOOPBACK), 'listening');
		return mailbox;
	}

	get url(): string {
		return `http://localhost:${(this.http.address() as AddressInfo).port}`;
	}

	/** Holds the data of a credential of n8n that sends to this mailbox. */
	get credential(): object {
		const { port } = this.smtp.address() as AddressInfo;
		return { host: LOOPBACK, port, secure: false, disableStartTls: true, user: '', password: '' };
	}

	async close(): Promise<void> {
		for (const socket of this.sockets) socket.destroy();
		this.http.closeAllConnections();
		await Promise.all([this.smtp, this.http].map(async (server) => await once(server.close(), 'close')));
	}

	/** Speaks as much SMTP as a mail takes. */
	private receive(socket: Socket): void {
		this.sockets.add(socket);
		socket.on('close', () => this.sockets.delete(socket)).on('error', () => socket.destroy());
		let text = '';
		let isData = false;
		const say = (line: string) => socket.write(`${line}\r\n`);
		say('220 mailbox');
		socket.setEncoding('latin1').on('data', (chunk) => {
			text += chunk.toString();
			for (;;) {
				const end = isData ? '\r\n.\r\n' : '\r\n';
				const at = text.indexOf(end);
				if (at === -1) return;
				const part = text.slice(0, at);
				text = text.slice(at + end.length);
				if (isData) {
					isData = false;
					this.mails.push(readMail(part.replace(/^\.\./gm, '.')));
					say('250 ok');
				} else if (/^DATA/i.test(part)) {
					isData = true;
					say('354 go on');
				} else if (/^QUIT/i.test(part)) {
					say('221 bye');
					socket.end();
				} else say('250 ok');
			}
		});
	}

	private page(): string {
		const mails = this.mails.map(
			({ to, subject, html }) =>
				`<article><h2>${escape(subject)}</h2><p>To ${escape(to)}</p><iframe srcdoc="${escape(html)}"></iframe></article>`,
		);
		const shown = mails.length === 0 ? '<p>No mail yet.</p>' : mails.reverse().join('');
		return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Mailbox</title>
<style>body { font: 15px sans-serif; max-width: 720px; margin: 24px auto; } article { border-top: 1px solid #ccc; } iframe { border: 0; width: 100%; height: 260px; }</style>
<h1>Mailbox</h1><p>Every mail that n8n sends comes here. None is delivered. The latest is the first.</p>${shown}</html>`;
	}
}

const escape = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * Reads a mail, or a part of one.
 * @param source has one character for each byte (Latin-1), because each part says its own encoding
 */
function readMail(source: string): Mail {
	const [head = '', ...rest] = source.split('\r\n\r\n');
	const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ');
	const header = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(unfolded)?.[1] ?? '';
	const mail = { to: inWords(header('To')), subject: inWords(header('Subject')) };
	const body = rest.join('\r\n\r\n');
	const boundary = /boundary="?([^";]+)/i.exec(header('Content-Type'))?.[1];
	if (boundary !== undefined) {
		const parts = body.split(`--${boundary}`).slice(1, -1);
		const read = parts.map((part) => readMail(part.replace(/^\r\n/, '')).html);
		// The last alternative is the richest.
		return { ...mail, html: read.at(-1) ?? '' };
	}
	const text = decode(body, header('Content-Transfer-Encoding'));
	const isHtml = /text\/html/i.test(header('Content-Type'));
	// A link opens a page of its own, since n8n's pages do not open in a frame.
	return { ...mail, html: isHtml ? `<base target="_blank">${text}` : `<pre>${escape(text)}</pre>` };
}

function decode(text: string, encoding: string): string {
	if (/base64/i.test(encoding)) return Buffer.from(text, 'base64').toString();
	const unquoted = /quoted-printable/i.test(encoding) ? unquote(text.replaceAll('=\r\n', '')) : text;
	return Buffer.from(unquoted, 'latin1').toString();
}

const unquote = (text: string) =>
	text.replaceAll(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** Reads words such as `=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=` in a header. */
const inWords = (text: string) =>
	text
		.replaceAll(/\?= +=\?/g, '?==?')
		.replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
			/b/i.test(kind) ? decode(word, 'base64') : decode(word.replaceAll('_', ' '), 'quoted-printable'),
		);
