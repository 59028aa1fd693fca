import { gzipSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PAGE_POLICY } from '../http/response-headers.js';
import { Clock, movedTime } from '../clock/clock.js';
import { type Environment, InjectEnvironment } from '../config/environment.js';
import { projectPath } from '../database/data-source.js';
import { Assets } from './assets/assets.js';
import { BrandAssets } from './assets/brand-assets.js';
import { translate } from './catalogue.js';
import { CsrfTokens } from './csrf-tokens.js';
import { screenHelpers } from './screen-helpers.js';
import { languageOf } from './language.js';
import { type Shown, type ShownValues, written, type Written } from './page-text.js';
import { partnerOf, type ScreenBrand, type ScreenData } from './screen-data.js';
import type { Entered, FormError } from './read-form.js';
import { Templates } from './templates.js';

/** Read by the layout, beside the template's own values. */
export interface ScreenModel {
  /** A key or a text. */
  readonly titleKey?: string;
  readonly titleValues?: ShownValues;
  readonly title?: Shown;
  /** From `readForm`. */
  readonly errors?: readonly FormError[];
  readonly entered?: Entered;
  readonly isWide?: boolean;
  readonly backHref?: string;
  /** Absent: "Back". */
  readonly backText?: Shown;
  /** "Step 3 of 8", and the progress bar. */
  readonly question?: { readonly step: number; readonly of: number } | null;
  /** Absent where the applicant cannot stop. */
  readonly stopHref?: string;
  /** Reloads the page; with JavaScript only `#live`. */
  readonly refreshSeconds?: number;
  /** Reloads the whole page once. */
  readonly reloadSeconds?: number;
  /** In views/screens. The page must work without them. */
  readonly scripts?: readonly string[];
  /** A file in views/screens with links to prefetch. */
  readonly speculationRules?: string;
  /** In views/screens. */
  readonly sheets?: readonly string[];
  /** Allows geolocation. */
  readonly asksForPlace?: boolean;
  /** Absent: this address. */
  readonly languageReturn?: string;
  /** In views/layouts. */
  readonly layout?: string;
  /** The browser continues there at once. */
  readonly leaveTo?: string;
  readonly [own: string]: unknown;
}

const LAYOUT = 'screen';
const DATA_PAGE = '/data';
const WORTH_COMPRESSING = 1_024;
const REFRESH_SCRIPT = 'refresh.js';
// On this thread: compressing a page is faster than a message. Level 6 saves 4% over level 4.
const COMPRESSION = { level: 6 };

@Injectable()
export class Screens {
  private readonly templates: Templates;

  constructor(
    private readonly brandAssets: BrandAssets,
    private readonly csrf: CsrfTokens,
    @InjectEnvironment private readonly environment: Environment,
    private readonly clock: Clock,
    private readonly assets: Assets,
  ) {
    this.templates = new Templates(projectPath('views'), screenHelpers(assets));
  }

  /** Never cached; keeps a status that is already set. */
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
   * Browsers apply `form-action` to a redirect chain after a form. So an intermediate page
   * continues automatically, and Back skips it.
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

  /** Cacheable when the model is equal for all users. */
  async html(
    request: Request,
    response: Response,
    name: string,
    model: ScreenModel,
  ): Promise<string> {
    const scripts = scriptsOf(model);
    const data = await this.dataOf(request, response, model);
    const shown = written(model, data.language);
    const body = this.templates.render(name, shown, data);
    const title = titleOf(shown, data);
    const layout = `layouts/${model.layout ?? LAYOUT}`;
    return this.templates.render(layout, { ...shown, scripts, title, body }, data);
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
      // Error pages must not need the database.
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

const NO_CONTACT = { name: '', phone: '', email: '' };
const NEUTRAL_BRAND: ScreenBrand = {
  displayName: '',
  support: NO_CONTACT,
  grievance: NO_CONTACT,
  styleUrl: '/assets/brand.css',
  iconUrl: '/assets/brand-icon',
  logo: null,
};

function scriptsOf({ scripts = [], refreshSeconds }: ScreenModel): string[] {
  return [...scripts, ...(refreshSeconds === undefined ? [] : [REFRESH_SCRIPT])];
}

function titleOf(model: Written<ScreenModel>, { language, brand, errors }: ScreenData): string {
  const { title, titleKey, titleValues } = model;
  const own = title ?? (titleKey === undefined ? '' : translate(language, titleKey, titleValues));
  const marked =
    errors.length > 0 ? translate(language, 'common.error.title', { title: own }) : own;
  return [marked, brand.displayName].filter((part) => part !== '').join(' – ');
}

/** @throws Error for other schemes, such as `javascript:` */
function webAddress(url: string): string {
  const { protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('not a web address');
  return url;
}

interface PolicyTerms {
  readonly hasScript: boolean;
  readonly asksForPlace: boolean;
}

const NEVER = ['camera', 'microphone', 'payment', 'usb'];

function allow(response: Response, { hasScript, asksForPlace }: PolicyTerms): void {
  const script = hasScript ? ["script-src 'self'", "connect-src 'self'"] : [];
  response.setHeader('Content-Security-Policy', [PAGE_POLICY, ...script].join('; '));
  const place = asksForPlace ? 'geolocation=(self)' : 'geolocation=()';
  const policy = [place, ...NEVER.map((feature) => `${feature}=()`)].join(', ');
  response.setHeader('Permissions-Policy', policy);
}
