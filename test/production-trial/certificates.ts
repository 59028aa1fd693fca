import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** A private certificate authority, made with the commands of docs/operators/going-live.md. */
export class Authority {
  readonly certificate: string;
  readonly #folder: string;
  readonly #key: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(folder: string, env: NodeJS.ProcessEnv = {}) {
    this.#folder = folder;
    this.#env = { ...process.env, ...env };
    this.certificate = join(folder, 'authority.pem');
    this.#key = join(folder, 'authority.key');
    this.#request(['-subj', '/CN=Authority of a trial'], this.certificate, this.#key);
  }

  issue(name: string, names: readonly string[] = []): CertificateFiles {
    const files = {
      certificate: join(this.#folder, `${name}.pem`),
      key: join(this.#folder, `${name}.key`),
    };
    const alternative = names.length === 0 ? [] : ['-addext', `subjectAltName=${names.join()}`];
    const signer = ['-CA', this.certificate, '-CAkey', this.#key];
    const leaf = ['-addext', 'basicConstraints=critical,CA:FALSE'];
    const options = ['-subj', `/CN=${name}`, ...signer, ...leaf, ...alternative];
    this.#request(options, files.certificate, files.key);
    return files;
  }

  #request(options: readonly string[], certificate: string, key: string): void {
    const files = ['-keyout', key, '-out', certificate];
    const command = ['req', '-x509', ...NEW_KEY, '-days', '2', ...options, ...files];
    execFileSync('openssl', command, {
      env: this.#env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }
}
