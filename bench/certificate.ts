import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a self-signed certificate for 127.0.0.1 and localhost in a folder, with OpenSSL's command. */
export function makeCertificate(folder: string): { key: string; cert: string; file: string } {
	const keyFile = join(folder, 'key.pem');
	const file = join(folder, 'certificate.pem');
	const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
	execFileSync(
		'openssl',
		[
			...['req', '-x509', '-nodes', '-days', '2', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
			...[...subject, '-keyout', keyFile, '-out', file],
		],
		{ stdio: 'ignore' },
	);
	return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(file, 'utf8'), file };
}
