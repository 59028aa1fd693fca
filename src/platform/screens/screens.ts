import { gzipSync } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PAGE_POLICY } from '../http/response-headers.js';
import { Clock, movedTime } from '../clock/clock.js';
import { type Environment, ENVIRONMENT } from '../config/environment.js';
import { projectPath } from '../database/data-source.js';
import { Assets } from './assets/assets.js';
import { BrandAssets } from './assets/brand-assets.js';
import { type TextValues, translate } from './catalogue.js';
import { CsrfTokens } from './csrf-tokens.js';
import { screenHelpers } from './screen-helpers.js';
import { languageOf } from './language.js';
import { partnerOf } from './page-partner.js';
import type { Entered, FormError } from './read-form.js';
import type { ScreenBrand, ScreenData } from './screen-data.js';
import { Templates } from './templates.js';

/** What a screen's model may hold for the layout, beside what its own template shows. */
export interface ScreenModel {
  /** The page's title (a key, or a text): what the browser's tab shows, before the brand's name. */
  readonly titleKey?: string;
  readonly titleValues?: TextValues;
  readonly title?: string;
  /** Of `readForm`, when a form is shown again. */
  readonly errors?: readonly FormError[];
  readonly entered?: Entered;
  /** Wider than a column of text: for comparisons and tables. */
  readonly isWide?: boolean;
  /** Where the Back link above the page leads. */
  readonly backHref?: string;
  /** What that link says; left out: "Back". */
  readonly backText?: string;
  /** "Step 3 of 8", and how much of the way that is. */
  readonly question?: { readonly step: number; readonly of: number } | null;
  /** The page on which the applicant can stop applying; left out where they cannot. */
  readonly stopHref?: string;
  /** The page is asked for again every so many seconds: with JavaScript only its `#live` part. */
  readonly refreshSeconds?: number;
  /** Seconds after which the whole page reloads, once. */
  readonly reloadSeconds?: number;
  /** Scripts of views/screens, by their file names. The page must work without them. */
  readonly scripts?: readonly string[];
  /** A file of views/screens: of which links the browser may fetch the page ahead. */
  readonly speculationRules?: string;
  /** Style sheets of views/screens that this page alone needs, by their file names. */
  readonly sheets?: readonly string[];
  /** Allows the page to ask for the applicant's place. */
  readonly asksForPlace?: boolean;
  /** Where the language switch leads back to; absent: this address. */
  readonly languageReturn?: string;
  /** A file of views/layouts. */
  readonly layout?: string;
  /** Where the browser goes on to at once, by itself. */
  readonly leaveTo?: string;
  /** What the screen's own template shows. */
  readonly [own: string]: unknown;
}

const LAYOUT = 'screen';
/** Who has an applicant's data, for whoever looks. */
const DATA_PAGE = '/data';
const WORTH_COMPRESSING = 1_024;
const REFRESH_SCRIPT = 'refresh.js';
// A page takes less than the way to another thread and back. Level 6 saves 4 % of the bytes of level 4.
const COMPRESSION = { level: 6 };

/** Shows the applicants' screens: templates in the layout, in the request's language. */
@Injectable()
export class Screens {
  private readonly templates: Templates;

  constructor(
    private readonly brandAssets: BrandAssets,
    private readonly csrf: CsrfTokens,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly clock: Clock,
    private readonly assets: Assets,
  ) {
    this.templates = new Templates(projectPath('views'), screenHelpers(assets));
  }

  /**
   * Answers with views/<name>.hbs inside the layout; never cached. The status is what was set on
   * the response before, else 200.
   */
  async render(
    request: Request,
    response: Response,
    name: string,
    model: ScreenModel,
  ): Promise<void> {
    const { asksForPlace = false, speculationRules } = model;
    allow(response, { hasScript: scriptsOf(model).length > 0, asksForPlace });
    if (speculationRules !== undefined) {
      response.setHeader('Speculation-Rules', `"${this.assets.urlOf(speculationRules)}"`);
    }
    const html = await this.html(request, response, name, model);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Vary', 'Accept-Encoding, Accept-Language, Cookie');
    response.type('html');
    if (html.length < WORTH_COMPRESSING || !request.acceptsEncodings('gzip')) {
      response.send(html);
      return;
    }
    response.setHeader('Content-Encoding', 'gzip');
    response.send(gzipSync(html, COMPRESSION));
  }

  /**
   * Answers a posted form by taking the browser to another site's page: a gateway's, a provider's.
   * A redirect would not do: browsers hold redirects after a form against `form-action`, along
   * their whole chain. The page in between goes on by itself, without a script, and Back skips it.
   * To a page of ours, or for a program, which knows no such policy, it is a redirect.
   */
  leave(request: Request, response: Response, url: string, to: string): Promise<void> {
    const isOurs = new URL(url).origin === new URL(this.environment.baseUrl).origin;
    if (isOurs || request.accepts(['json', 'html']) !== 'html') {
      response.redirect(303, webAddress(url));
      return Promise.resolve();
    }
    return this.render(request, response, 'entry/leave', {
      titleKey: 'common.leave.title',
      titleValues: { to },
      leaveTo: webAddress(url),
      to,
    });
  }

  /** The page's text, for whoever sends it otherwise: it may be kept when its model is everybody's. */
  async html(
    request: Request,
    response: Response,
    name: string,
    model: ScreenModel,
  ): Promise<string> {
    const scripts = scriptsOf(model);
    const data = await this.dataOf(request, response, model);
    const body = this.templates.render(name, model, data);
    const title = titleOf(model, data);
    const layout = `layouts/${model.layout ?? LAYOUT}`;
    return this.templates.render(layout, { ...model, scripts, title, body }, data);
  }

  private async dataOf(
    request: Request,
    response: Response,
    model: ScreenModel,
  ): Promise<ScreenData> {
    let token: string | undefined;
    const partner = await partnerOf(request);
    return {
      language: languageOf(request),
      partnerName: partner?.name ?? null,
      partnerLogo: partner?.logo ?? null,
      dataHref: partner?.dataHref ?? DATA_PAGE,
      // A page that says that the database is away must not need it.
      brand: (await this.brandAssets.brand()) ?? NEUTRAL_BRAND,
      path: model.languageReturn ?? request.originalUrl,
      errors: model.errors ?? [],
      entered: model.entered ?? {},
      isSandbox: this.environment.mode === 'sandbox',
      sandboxTime: movedTime(this.clock),
      csrf: () => (token ??= this.csrf.issue(request, response)),
    };
  }
}

const NOBODY = { name: '', phone: '', email: '' };
const NEUTRAL_BRAND: ScreenBrand = {
  displayName: '',
  support: NOBODY,
  grievance: NOBODY,
  styleUrl: '/assets/brand.css',
  iconUrl: '/assets/brand-icon',
  logo: null,
};

function scriptsOf({ scripts = [], refreshSeconds }: ScreenModel): string[] {
  return [...scripts, ...(refreshSeconds === undefined ? [] : [REFRESH_SCRIPT])];
}

function titleOf(model: ScreenModel, { language, brand, errors }: ScreenData): string {
  const { title, titleKey, titleValues } = model;
  const own = title ?? (titleKey === undefined ? '' : translate(language, titleKey, titleValues));
  const marked =
    errors.length > 0 ? translate(language, 'common.error.title', { title: own }) : own;
  return [marked, brand.displayName].filter((part) => part !== '').join(' – ');
}

/** @throws Error for what no browser should be sent to: `javascript:`, say */
function webAddress(url: string): string {
  const { protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('not an address of the web');
  return url;
}

interface PolicyTerms {
  readonly hasScript: boolean;
  readonly asksForPlace: boolean;
}

// What a page of ours never asks the browser for.
const NEVER = ['camera', 'microphone', 'payment', 'usb'];

/** Allows a page the scripts of this service, or the applicant's place, where it needs them. */
export function allow(response: Response, { hasScript, asksForPlace }: PolicyTerms): void {
  const script = hasScript ? ["script-src 'self'", "connect-src 'self'"] : [];
  response.setHeader('Content-Security-Policy', [PAGE_POLICY, ...script].join('; '));
  const place = asksForPlace ? 'geolocation=(self)' : 'geolocation=()';
  const policy = [place, ...NEVER.map((feature) => `${feature}=()`)].join(', ');
  response.setHeader('Permissions-Policy', policy);
}
