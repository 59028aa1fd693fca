import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clockOff } from './clock-off.ts';

/** Some clocks are behind, and a certificate is good from when it was made. */
const AN_HOUR_AGO = clockOff('-1h');
const CURVE = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';

/** An authority of the run's own, and one certificate for every node: `authority.pem`, `node.pem` and `node.key`. */
export function makeCertificates(
  folder: string,
  names: readonly string[],
  owner: { uid: number; gid: number },
): void {
  mkdirSync(folder, { mode: 0o755 });
  writeFileSync(join(folder, 'names'), `subjectAltName=${names.join()}\n`);
  const openssl = (words: string) => runOrThrow('openssl', words.split(' '), folder);
  const authority = '-CA authority.pem -CAkey authority.key -CAcreateserial';
  openssl(
    `req -x509 ${CURVE} -days 2 -subj /CN=authority -keyout authority.key -out authority.pem`,
  );
  openssl(`req ${CURVE} -subj /CN=db.internal -keyout node.key -out node.request`);
  openssl(`x509 -req -in node.request -days 2 -extfile names ${authority} -out node.pem`);
  // PostgreSQL reads no key that others may read.
  chmodSync(join(folder, 'node.key'), 0o600);
  runOrThrow('chown', [`${owner.uid}:${owner.gid}`, join(folder, 'node.key')]);
}

function runOrThrow(command: string, words: readonly string[], cwd?: string): void {
  const { status, stderr, error } = spawnSync(command, words, {
    cwd,
    env: { ...process.env, ...AN_HOUR_AGO },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} failed: ${stderr ?? error?.message}`);
}
