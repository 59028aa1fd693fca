import Handlebars from 'handlebars';
import type { Assets } from './assets/assets.js';
import { hasText, type TextValues, translate } from './catalogue.js';
import { formatDate, formatDateTime, formatMoney, formatPercent, formatRupees } from './formats.js';
import { CSRF_FIELD } from './csrf-tokens.js';
import { otherLanguages, scriptLanguage } from './language.js';
import type { ScreenData } from './screen-data.js';

type Helper = (...parameters: unknown[]) => unknown;

interface HelperCall {
  readonly data: ScreenData;
  readonly hash: TextValues;
}

const ICONS = 'icons.svg';

/** A number with a character after which browsers break lines. */
const NUMBER_WITH_BREAK = /^(?=.*\d).+[-/]/;

/** Documented in docs/contributors/screens.md. */
export function screenHelpers(assets: Assets): Record<string, Helper> {
  return {
    ...textHelpers(),
    ...formatHelpers(),
    ...formHelpers(),
    ...choiceHelpers(),
    asset: (file: unknown) => new Handlebars.SafeString(assets.urlOf(String(file))),
    ...iconHelper(assets),
  };
}

/** {{icon 'clock'}}: from views/screens/icons.svg, decorative only. */
function iconHelper(assets: Assets): Record<string, Helper> {
  const sprite = assets.find(ICONS)?.bytes.toString() ?? '';
  const names = new Set([...sprite.matchAll(/<symbol id="([a-z]+)"/g)].map(([, name]) => name));
  const url = assets.urlOf(ICONS);
  return {
    icon: (name) => {
      if (!names.has(String(name))) throw new Error(`${ICONS} has no drawing ${String(name)}`);
      const tick = name === 'tick' ? ' tick' : '';
      return new Handlebars.SafeString(
        `<svg class="icon${tick}" aria-hidden="true"><use href="${url}#${String(name)}"/></svg>`,
      );
    },
  };
}

function textHelpers(): Record<string, Helper> {
  return {
    /** {{t 'area.name' placeholder=value}} */
    t: (key, call) => textOf(key, call as HelperCall),
    /** `t` with **strong** parts and [[telephone numbers]]; escapes values. */
    rich: (key, call) => {
      return withStrong(textOf(key, call as HelperCall));
    },
    /** {{strong text}}: `rich` for a given text. */
    strong: (text) => withStrong(typeof text === 'string' ? text : ''),
    /** {{numbered identity}}: numbers do not break at `-` or `/`. */
    numbered: (text) => numberedText(typeof text === 'string' ? text : ''),
    /** {{own description}}: marks an external text with its language unless it is the page's. */
    own: (text, call) => ownText(typeof text === 'string' ? text : '', call as HelperCall),
    /** {{text label labelKey}}: the text, else the key's. */
    text: (own, key, call) => {
      if (own !== undefined && own !== null && own !== '') return own;
      return typeof key === 'string' && key !== '' ? textOf(key, call as HelperCall) : '';
    },
  };
}

function textOf(key: unknown, { data, hash }: HelperCall): string {
  const { displayName: brandName, support } = data.brand;
  return translate(data.language, String(key), { brandName, brandPhone: support.phone, ...hash });
}

function withStrong(text: string): Handlebars.SafeString {
  const escaped = Handlebars.escapeExpression(text);
  return new Handlebars.SafeString(
    escaped
      .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
      .replaceAll(/\[\[(.+?)\]\]/g, (_, phone: string) => phoneLink(phone)),
  );
}

function phoneLink(phone: string): string {
  return `<a class="nowrap" href="tel:${phone.replaceAll(/[^+\d]/g, '')}">${phone}</a>`;
}

function numberedText(text: string): Handlebars.SafeString {
  const words = text.split(/([\s,()]+)/).map((word) => {
    const escaped = Handlebars.escapeExpression(word);
    return NUMBER_WITH_BREAK.test(word) ? `<span class="number">${escaped}</span>` : escaped;
  });
  return new Handlebars.SafeString(words.join(''));
}

function ownText(text: string, { data }: HelperCall): Handlebars.SafeString {
  const escaped = Handlebars.escapeExpression(text);
  const language = scriptLanguage(text);
  const isPages = language === null || language === data.language;
  return new Handlebars.SafeString(
    isPages ? escaped : `<span lang="${language}">${escaped}</span>`,
  );
}

function formatHelpers(): Record<string, Helper> {
  return {
    rupees: (paise) => formatRupees(paise as number),
    /** {{money amount currency}} */
    money: (amount, currency) => formatMoney(amount as number, currency as string),
    percent: (percent) => formatPercent(percent as number),
    date: (when, call) => formatDate((call as HelperCall).data.language, when as Date | string),
    /** {{dateTime when}}; language='en' on English-only pages. */
    dateTime: (when, call) => {
      const { data, hash } = call as HelperCall;
      const language = hash.language === 'en' ? 'en' : data.language;
      return formatDateTime(language, when as Date | string);
    },
    months: (count, call) =>
      translate((call as HelperCall).data.language, 'common.months', { count: count as number }),
  };
}

function formHelpers(): Record<string, Helper> {
  return {
    csrf: (call) => {
      const token = (call as HelperCall).data.csrf();
      return new Handlebars.SafeString(
        `<input type="hidden" name="${CSRF_FIELD}" value="${Handlebars.escapeExpression(token)}">`,
      );
    },
    /** {{entered name value}}: the typed value, else `value`. */
    entered: (name, known, call) => (call as HelperCall).data.entered[String(name)] ?? known ?? '',
    errorOf: (name, call) => {
      const { language, errors } = (call as HelperCall).data;
      const error = errors.find(({ field }) => field === name);
      return error ? translate(language, error.messageKey, error.values) : '';
    },
  };
}

function choiceHelpers(): Record<string, Helper> {
  return {
    eq: (left, right) => left === right,
    or: (...given) => given.slice(0, -1).find(Boolean),
    and: (...given) => given.slice(0, -1).every(Boolean),
    not: (value) => !value,
    /** {{digits phone}}: for `tel:`. */
    digits: (text) => String(text).replaceAll(/[^+\d]/g, ''),
    initial: (name) => Array.from(String(name)).at(0) ?? '',
    add: (left, right) => Number(left) + Number(right),
    hasText: (key) => typeof key === 'string' && hasText(key),
    otherLanguages: (call) => otherLanguages((call as HelperCall).data.language),
  };
}
