import { type HostedPage, plain } from '../support/hosted-browser.ts';

export interface PageRecord {
  readonly title: string;
  readonly refresh?: string;
  readonly forms: readonly string[];
  readonly text: readonly string[];
}

const UNSEEN = /<(head|script|style|svg)\b[^>]*>.*?<\/\1>|<!--.*?-->/gs;
const LINK = /<a\b([^>]*)>(.*?)<\/a>/gs;
const BLOCK =
  /<\/?(?:p|div|h\d|li|ul|ol|dl|dt|dd|tr|td|th|table|section|form|label|button|summary|details|legend|fieldset|header|footer|main|nav|br|option|small)\b[^>]*>/g;
const CONTROL = /<(button)\b([^>]*)>(.*?)<\/button>|<(input|select|textarea)\b([^>]*)>/gs;

export function pageRecord({ text: html }: HostedPage): PageRecord {
  const refresh = attribute(/<meta http-equiv="refresh"([^>]*)>/.exec(html)?.[1] ?? '', 'content');
  const seen = html.replaceAll(UNSEEN, '');
  return {
    title: plain(/<title>(.*?)<\/title>/s.exec(html)?.[1] ?? ''),
    ...(refresh !== '' && { refresh }),
    forms: [...seen.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(formLine),
    text: seen
      .replaceAll(LINK, (_, head: string, body: string) => `[${body}](${attribute(head, 'href')})`)
      .split(BLOCK)
      .map(plain)
      .filter((line) => line !== ''),
  };
}

function formLine([, head = '', body = '']: RegExpExecArray): string {
  const controls = [...body.matchAll(CONTROL)].map((found) => {
    const [, button, ofButton = '', label = '', tag = '', ofField = ''] = found;
    const attributes = button === undefined ? ofField : ofButton;
    const [name, value] = [attribute(attributes, 'name'), attribute(attributes, 'value')];
    const named = value === '' ? name : `${name}=${value}`;
    if (button !== undefined) return `button "${plain(label)}"${name && ` ${named}`}`;
    const marks = ['checked', 'disabled', 'required'].filter((mark) =>
      new RegExp(`\\s${mark}(?=[\\s=]|$)`).test(attributes),
    );
    return `${named} (${[attribute(attributes, 'type') || tag, ...marks].join(' ')})`;
  });
  return `${attribute(head, 'method')} ${attribute(head, 'action')}: ${controls.join(', ')}`;
}

function attribute(head: string, name: string): string {
  return plain(new RegExp(`\\b${name}="([^"]*)"`).exec(head)?.[1] ?? '');
}
