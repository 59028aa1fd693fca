import { translate } from './catalogue.js';
import { formatDate, formatDateTime, formatDayMonth } from './formats.js';
import type { Language } from './language.js';
import { isObject } from '../validation/json-object.js';

/** A text of a page: written in the page's language when the page is rendered. */
export class PageText {
  constructor(readonly writtenIn: (language: Language) => string) {}
}

export type Shown = string | PageText;

export type ShownValues = Readonly<Record<string, Shown | number>>;

/** A text of the catalogue; see `translate`. */
export function say(key: string, values: ShownValues = {}): PageText {
  return new PageText((language) => translate(language, key, written(values, language)));
}

export function sayDate(when: Date | string): PageText {
  return new PageText((language) => formatDate(language, when));
}

export function sayDayMonth(when: Date | string): PageText {
  return new PageText((language) => formatDayMonth(language, when));
}

export function sayDateTime(when: Date | string): PageText {
  return new PageText((language) => formatDateTime(language, when));
}

/** Omits empty parts. */
export function joined(parts: readonly (Shown | null | undefined)[], separator = ' '): PageText {
  return new PageText((language) => written(parts, language).filter(Boolean).join(separator));
}

/** Lists and plain objects are searched for texts; everything else stays. */
export function written<Model>(model: Model, language: Language): Written<Model> {
  return write(model, language) as Written<Model>;
}

export type Written<Model> = Model extends PageText
  ? string
  : Model extends Date
    ? Model
    : Model extends object
      ? { [Name in keyof Model]: Written<Model[Name]> }
      : Model;

function write(model: unknown, language: Language): unknown {
  if (model instanceof PageText) return model.writtenIn(language);
  if (Array.isArray(model)) return model.map((part) => write(part, language));
  if (!isPlain(model)) return model;
  const parts = Object.entries(model).map(([name, part]) => [name, write(part, language)]);
  return Object.fromEntries(parts);
}

function isPlain(model: unknown): model is object {
  return isObject(model) && Object.getPrototypeOf(model) === Object.prototype;
}
