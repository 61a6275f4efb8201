import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/**
 * Finds ports of the loopback interface on which nothing listens. They differ from each other, because each is kept open until the
 * last one is found.
 */
export async function freePorts(count: number): Promise<number[]> {
	const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
	await Promise.all(servers.map(async (server) => await once(server, 'listening')));
	const ports = servers.map((server) => (server.address() as AddressInfo).port);
	await Promise.all(servers.map(async (server) => await once(server.close(), 'close')));
	return ports;
}

/** Returns whether nothing listens on a port of the loopback interface. */
export async function isFree(port: number): Promise<boolean> {
	const server = createServer().listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
		return true;
	} catch {
		return false;
	} finally {
		server.close();
	}
}
