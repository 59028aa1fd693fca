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

  constructor(folder: string) {
    this.#folder = folder;
    this.certificate = join(folder, 'authority.pem');
    this.#key = join(folder, 'authority.key');
    this.#request(['-subj', '/CN=Authority of a trial'], this.certificate, this.#key);
  }

  issue(name: string, address?: string): CertificateFiles {
    const files = {
      certificate: join(this.#folder, `${name}.pem`),
      key: join(this.#folder, `${name}.key`),
    };
    const names = address === undefined ? [] : ['-addext', `subjectAltName=IP:${address}`];
    const signer = ['-CA', this.certificate, '-CAkey', this.#key];
    const leaf = ['-addext', 'basicConstraints=critical,CA:FALSE'];
    const options = ['-subj', `/CN=${name}`, ...signer, ...leaf, ...names];
    this.#request(options, files.certificate, files.key);
    return files;
  }

  #request(options: readonly string[], certificate: string, key: string): void {
    const files = ['-keyout', key, '-out', certificate];
    const command = ['req', '-x509', ...NEW_KEY, '-days', '2', ...options, ...files];
    execFileSync('openssl', command, { stdio: ['ignore', 'ignore', 'pipe'] });
  }
}
