import { setTimeout as sleep } from 'node:timers/promises';
import { type HtmlForm, readForms } from '../../partner/html-forms.ts';
import { NotRun } from '../case.ts';
import type { PageChoice, Profile } from '../profile.ts';

export type Decision = 'approve' | 'decline';

const MAX_PAGES = 15;
const PAGE_TIMEOUT_MS = 15_000;
const LOOK_AGAIN_MS = 250;

export interface PagesParts {
  readonly choices: Profile['pages'];
  /** Browsers that returned, by the last part of their address. */
  readonly returned: ReadonlySet<string>;
  readonly waitSeconds: number;
  /** Tells the person at the terminal what to do. */
  readonly tell: (text: string) => void;
}

/** Acts as the applicant on the lender's pages, or asks a person to. */
export class ApplicantPages {
  readonly #parts: PagesParts;

  constructor(parts: PagesParts) {
    this.#parts = parts;
  }

  get areDriven(): boolean {
    return this.#parts.choices !== undefined;
  }

  /**
   * Returns whether the lender led back to `returnUrl`.
   * @throws NotRun when the applicant did not return in time
   */
  async visit(url: string, returnUrl: string, decision: Decision): Promise<boolean> {
    const choice = this.#parts.choices?.[decision];
    if (choice) return new Visit(choice, returnUrl).begin(url);
    if (this.areDriven) throw new NotRun(`the profile does not say how to ${decision} on a page`);
    return this.#leaveToPerson(url, returnUrl, decision);
  }

  async #leaveToPerson(url: string, returnUrl: string, decision: Decision): Promise<boolean> {
    const { returned, waitSeconds, tell } = this.#parts;
    if (waitSeconds <= 0) throw new NotRun('there is no applicant to open the lender’s page');
    const word =
      decision === 'approve' ? 'do what an applicant does' : 'refuse, as an applicant may';
    tell(`Open this page and ${word} (waiting ${waitSeconds} s): ${url}`);
    const end = performance.now() + waitSeconds * 1000;
    const token = returnUrl.slice(returnUrl.lastIndexOf('/') + 1);
    while (performance.now() < end) {
      if (returned.has(token)) return true;
      await sleep(LOOK_AGAIN_MS);
    }
    throw new NotRun(
      `the applicant did not come back from the lender’s page within ${waitSeconds} s`,
    );
  }
}

/** One visit with a browser that supports forms, cookies and redirects. */
class Visit {
  readonly #choice: PageChoice;
  readonly #returnUrl: string;
  readonly #cookies = new Map<string, string>();

  constructor(choice: PageChoice, returnUrl: string) {
    this.#choice = choice;
    this.#returnUrl = returnUrl;
  }

  async begin(url: string): Promise<boolean> {
    let address = url;
    let init: RequestInit = { method: 'GET' };
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const response = await this.#load(address, init);
      const location = response.headers.get('location');
      if (location !== null) {
        address = new URL(location, address).href;
        if (address.startsWith(this.#returnUrl)) return true;
        init = { method: 'GET' };
        continue;
      }
      const html = await response.text();
      const form = readForms(html).find((one) => this.#decides(one));
      if (!form) return html.includes(this.#returnUrl);
      address = new URL(form.action || address, address).href;
      init = this.#submit(form);
    }
    return false;
  }

  #decides({ buttons, hidden }: HtmlForm): boolean {
    const { name, value } = this.#choice;
    return (
      buttons.some((button) => button.name === name && button.value === value) || name in hidden
    );
  }

  #submit({ hidden }: HtmlForm): RequestInit {
    const { name, value, fields } = this.#choice;
    const body = new URLSearchParams({ ...hidden, ...fields, [name]: value });
    return { method: 'POST', body };
  }

  async #load(address: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = cookie === '' ? {} : { cookie };
    const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
    const response = await fetch(address, { ...init, headers, redirect: 'manual', signal }).catch(
      () => {
        throw new NotRun(`the lender’s page could not be loaded: ${new URL(address).origin}`);
      },
    );
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (at > 0) this.#cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
    }
    return response;
  }
}
