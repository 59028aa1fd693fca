import { createHmac, randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';

export const COLLECTION = fileURLToPath(new URL('../../../clients/bruno/', import.meta.url));

/** The blocks of a `.bru` file, by name. */
type Blocks = Readonly<Record<string, string>>;

const PAUSE_MS = 50;
const HmacSHA256 = (text: string, key: string) =>
  createHmac('sha256', key).update(text).digest('hex');
const LIBRARIES: Readonly<Record<string, object>> = {
  'crypto-js': { HmacSHA256 },
  uuid: { v4: randomUUID },
};

/** Runs the collection in Bruno's order. It supports only the parts of Bruno that the collection uses. */
export class BrunoRun {
  private readonly variables: Record<string, string>;
  private readonly signing = blocksOf('collection.bru')['script:pre-request'];

  constructor(environment: Record<string, string>) {
    const given = linesOf(blocksOf('environments/sandbox.bru').vars);
    this.variables = { ...Object.fromEntries(given), ...environment };
  }

  /**
   * @returns the statuses, by the requests' names
   * @throws Error when an assertion fails
   */
  async all(): Promise<Map<string, number>> {
    const statuses = new Map<string, number>();
    for (const request of inOrder()) {
      const [[, name]] = linesOf(request.meta);
      let next: string | undefined = name;
      while (next !== undefined) {
        if (next !== name) throw new Error(`${name} is followed by ${next}`);
        let status: number;
        ({ status, next } = await this.send(name, request));
        statuses.set(name, status);
      }
    }
    return statuses;
  }

  private async send(name: string, request: Blocks): Promise<{ status: number; next?: string }> {
    const method = Object.keys(request).find((block) => /^(get|post|delete)$/.test(block))!;
    const headers = new Headers(linesOf(this.filled(request.headers)));
    let body: string | undefined = request['body:json'];
    let next: string | undefined;
    const bru = {
      getEnvVar: (variable: string) => this.variables[variable],
      setVar: (variable: string, value: string) => (this.variables[variable] = value),
      interpolate: (text: string) => this.filled(text),
      sleep: () => sleep(PAUSE_MS),
      runner: { setNextRequest: (given: string) => (next = given) },
    };
    const [[, url]] = linesOf(this.filled(request[method]));
    const req = {
      getMethod: () => method,
      getUrl: () => url,
      getBody: () => body,
      setBody: (text: string) => (body = text),
      setHeader: (header: string, value: string) => headers.set(header, value),
    };
    const run = async (script: string, values: object) =>
      (await runInNewContext(`(async () => {${script}\n})()`, values)) as void;
    await run(this.signing, { bru, req, require: (library: string) => LIBRARIES[library] });
    if (body !== undefined) headers.set('content-type', 'application/json');
    const answer = await fetch(url, { method: method.toUpperCase(), headers, body });
    const res = { status: answer.status, body: await answer.json() };
    for (const [path, assertion] of linesOf(request.assert)) {
      const value: unknown = runInNewContext(path.replaceAll('.', '?.'), { res });
      if (!holds(value, assertion)) {
        throw new Error(`${name}: ${path} is not ${assertion}: ${JSON.stringify(res)}`);
      }
    }
    await run(request['script:post-response'] ?? '', { bru, res });
    return { status: res.status, next };
  }

  private filled(text = ''): string {
    return text
      .replaceAll('{{$randomUUID}}', () => randomUUID())
      .replaceAll('{{$isoTimestamp}}', () => new Date().toISOString())
      .replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => this.variables[name] ?? all);
  }
}

function holds(value: unknown, assertion: string): boolean {
  const [operator, ...wanted] = assertion.split(/,? /);
  if (operator === 'eq' || operator === 'in') return wanted.includes(String(value));
  return operator.toLowerCase() === `is${Array.isArray(value) ? 'array' : typeof value}`;
}

function inOrder(): Blocks[] {
  const paths = globSync('[A-Z]*/[A-Z]*.bru', { cwd: COLLECTION });
  const seqOf = (path: string) => Number(/seq: (\d+)/.exec(blocksOf(path).meta)![1]);
  const placeOf = (path: string) => 1_000 * seqOf(join(dirname(path), 'folder.bru')) + seqOf(path);
  return paths.toSorted((a, b) => placeOf(a) - placeOf(b)).map(blocksOf);
}

function blocksOf(path: string): Blocks {
  const text = readFileSync(join(COLLECTION, path), 'utf8');
  const blocks = [...text.matchAll(/^([\w:-]+) \{\n([\s\S]*?)\n\}$/gm)];
  return Object.fromEntries(blocks.map(([, name, body]) => [name, body.replaceAll(/^ {2}/gm, '')]));
}

/** The lines `name: value` of a block. */
function linesOf(block = ''): [name: string, value: string][] {
  return [...block.matchAll(/^(.+?): (.+)$/gm)].map(([, name, value]) => [name, value]);
}
