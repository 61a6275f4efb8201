import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Passes TCP connections on, and delays all bytes by the same time. The handshake of TCP itself is not delayed. */
export class DelayingProxy {
	private readonly sockets = new Set<Socket>();

	private constructor(private readonly server: Server) {}

	static async start(targetPort: number, delayMs: number): Promise<DelayingProxy> {
		// Each direction ends separately: destroying a socket early resets its connection, and the bytes not read yet are
		// lost.
		const server = createServer({ allowHalfOpen: true });
		const proxy = new DelayingProxy(server);
		server.on('connection', (client) => {
			const target = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
			proxy.join(client, target, delayMs);
			proxy.join(target, client, delayMs);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return proxy;
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	close(): void {
		for (const socket of this.sockets) socket.destroy();
		this.server.close();
	}

	private join(from: Socket, to: Socket, delayMs: number): void {
		this.sockets.add(from);
		from.setNoDelay(true);
		from.on('data', (bytes) => setTimeout(() => to.write(bytes), delayMs));
		from.on('end', () => setTimeout(() => to.end(), delayMs));
		from.on('error', () => to.destroy());
		from.on('close', () => this.sockets.delete(from));
	}
}
