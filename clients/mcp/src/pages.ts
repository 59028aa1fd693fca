import type { RinpathClient } from '../../node/src/index.ts';

const TIMEOUT_MS = 15_000;
const MAX_FOUND = 8;
const FOUND =
  /<a href="(\/docs[^"]*)">(.*?)<\/a> <span class="quiet">(.*?)<\/span><\/p><p class="quiet">([\s\S]*?)<\/p>/g;
const RECEIVER = /(https?:\/\/)(?:[^\s/"@]*@)?([^\s/?#"]+)[^\s"]*/g;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };

/** Reads pages of the documentation, and of the workbench in a session that the key opens. */
export class Pages {
  readonly #baseUrl: string;
  readonly #client: RinpathClient;
  #cookie: string | undefined;

  constructor(baseUrl: string, client: RinpathClient) {
    this.#baseUrl = baseUrl;
    this.#client = client;
  }

  /** HTML. @throws Error with the service's reason */
  async workbench(path: string): Promise<string> {
    // Without a session an open sandbox shows the demonstration partner.
    this.#cookie ??= await this.#enter();
    let response = await this.#fetch(path, { cookie: this.#cookie });
    if (response.status === 401) {
      this.#cookie = await this.#enter();
      response = await this.#fetch(path, { cookie: this.#cookie });
    }
    return textOfGood(response);
  }

  /** The service's ranked search. */
  async search(query: string) {
    const page = await textOfGood(await this.#fetch(`/docs/search?q=${encodeURIComponent(query)}`));
    return [...page.matchAll(FOUND)].slice(0, MAX_FOUND).map(([, href = '', ...texts]) => {
      const [title, ofPage, excerpt] = texts.map(plain);
      return { title, page: ofPage, address: this.#baseUrl + href, excerpt };
    });
  }

  /** The catalogue's message, cause and advice for an error code. */
  async catalogue(code: string) {
    const page = await textOfGood(await this.#fetch('/docs/errors.md'));
    const row = page.split('\n').find((line) => line.startsWith(`| \`${code}\` `));
    const [, , , message, when, whatToDo] = row?.split('|').map((cell) => cell.trim()) ?? [];
    return { code, message, when, whatToDo, docs: `${this.#baseUrl}/docs/errors#${code}` };
  }

  /** Presses the button of the page that a fresh link shows. */
  async #enter(): Promise<string> {
    const { pathname } = new URL((await this.#client.createWorkbenchLink()).url);
    const shown = await this.#fetch(pathname);
    const csrf = /name="csrf" value="([\w-]+)"/.exec(await shown.text())?.[1] ?? '';
    const cookie = cookiesOf(shown);
    const entered = cookiesOf(
      await this.#fetch(pathname, { cookie }, new URLSearchParams({ csrf })),
    );
    if (!/workbench=./.test(entered)) throw new Error('The workbench opened no session; try again');
    return entered;
  }

  #fetch(path: string, headers = {}, body?: URLSearchParams): Promise<Response> {
    return fetch(this.#baseUrl + path, {
      ...(body && { method: 'POST', body }),
      headers: { ...headers, accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
}

function cookiesOf({ headers }: Response): string {
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  return cookies.join('; ');
}

async function textOfGood(response: Response): Promise<string> {
  const text = await response.text();
  if (response.ok) return text;
  const [, reason = 'no page'] = /"error":"([^"]*)"/.exec(text) ?? [];
  throw new Error(`${new URL(response.url).pathname} answered ${response.status}: ${reason}`);
}

/** The main part of a workbench page, without events’ bodies and the paths of receivers. */
export function textOf(html: string): string {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '';
  const lines = main
    .replaceAll(/<a [^>]*>Guide<[\s\S]*?<\/a>|<details>[\s\S]*?<\/details>/g, '')
    .replaceAll('<h3>', '### ')
    .replaceAll('</dt>', ': ')
    .replaceAll(/<\/(h\d|p|div|li|pre)>/g, '\n');
  return plain(lines).replaceAll(RECEIVER, '$1$2/…');
}

function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#x([\da-f]+);/gi, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)))
    .replaceAll(/&(lt|gt|quot|amp);/g, (_, name: string) => NAMED[name])
    .replaceAll(/[^\S\n]*\n\s*/g, '\n')
    .trim();
}
