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

/** A word with a figure in it, and a sign behind which a browser may break it. */
const NUMBER_WITH_BREAK = /^(?=.*\d).+[-/]/;

/** What templates may call; each name is documented in docs/screens.md. */
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

/** {{icon 'clock'}}: a drawing of views/screens/icons.svg, which never says anything that the text does not. */
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
    /** {{t 'area.name' placeholder=value}}: the text, escaped like anything else. */
    t: (key, call) => textOf(key, call as HelperCall),
    /** The same for a text with **strong** parts and [[telephone numbers]]; its values are escaped. */
    rich: (key, call) => {
      return withStrong(textOf(key, call as HelperCall));
    },
    /** {{strong text}}: the same for a text that a view model has made. */
    strong: (text) => withStrong(typeof text === 'string' ? text : ''),
    /** {{numbered identity}}: a text of ours whose numbers are not broken at a hyphen or a stroke. */
    numbered: (text) => numberedText(typeof text === 'string' ? text : ''),
    /** {{own description}}: a text that is not ours, marked with its language where that is not the page's. */
    own: (text, call) => ownText(typeof text === 'string' ? text : '', call as HelperCall),
    /** {{text label labelKey}}: the text itself when given, else the one under the key. */
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
    /** {{money amount currency}}: of what somebody else has named the currency. */
    money: (amount, currency) => formatMoney(amount as number, currency as string),
    percent: (percent) => formatPercent(percent as number),
    date: (when, call) => formatDate((call as HelperCall).data.language, when as Date | string),
    /** {{dateTime when}}; a page that is English alone says language='en'. */
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
    /** {{entered name value}}: what was typed before, else what is known. */
    entered: (name, known, call) => (call as HelperCall).data.entered[String(name)] ?? known ?? '',
    /** {{errorOf name}}: the mistake of a field in words, or nothing. */
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
    /** {{digits phone}}: for an address of the scheme tel. */
    digits: (text) => String(text).replaceAll(/[^+\d]/g, ''),
    /** {{initial name}}: the letter on a lender's mark. */
    initial: (name) => Array.from(String(name)).at(0) ?? '',
    add: (left, right) => Number(left) + Number(right),
    hasText: (key) => typeof key === 'string' && hasText(key),
    otherLanguages: (call) => otherLanguages((call as HelperCall).data.language),
  };
}
