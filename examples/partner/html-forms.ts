export interface HtmlForm {
  /** As written in the page, relative or absolute; empty: the page's own address. */
  action: string;
  method: string;
  hidden: Record<string, string>;
  buttons: { name: string; value: string }[];
}

/**
 * Reads the forms of a simple page. Regular expressions suffice for the simulated provider's pages; use a browser for
 * real pages.
 */
export function readForms(html: string): HtmlForm[] {
  const visible = html.replace(/<!--[\s\S]*?-->/g, '');
  return [...visible.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, head, inside]) => {
    const attributes = readAttributes(head ?? '');
    return {
      action: attributes['action'] ?? '',
      method: (attributes['method'] ?? 'GET').toUpperCase(),
      hidden: readHiddenInputs(inside ?? ''),
      buttons: readButtons(inside ?? ''),
    };
  });
}

/** Where a page redirects the browser at once; null for any other page. */
export function readOnward(html: string): string | null {
  for (const attributes of readTags(html, 'meta')) {
    if (attributes['http-equiv']?.toLowerCase() !== 'refresh') continue;
    const [, address] = /^0;\s*url=(.+)$/i.exec(attributes['content'] ?? '') ?? [];
    if (address) return address;
  }
  return null;
}

function readHiddenInputs(html: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const attributes of readTags(html, 'input')) {
    const name = attributes['name'];
    if (name && attributes['type']?.toLowerCase() === 'hidden') {
      found[name] = attributes['value'] ?? '';
    }
  }
  return found;
}

function readButtons(html: string): HtmlForm['buttons'] {
  const submits = readTags(html, 'input').filter((tag) => tag['type']?.toLowerCase() === 'submit');
  return [...readTags(html, 'button'), ...submits]
    .filter((tag) => tag['name'])
    .map((tag) => ({ name: tag['name'] ?? '', value: tag['value'] ?? '' }));
}

function readTags(html: string, tag: string): Record<string, string>[] {
  const tags = new RegExp(`<${tag}\\b((?:"[^"]*"|'[^']*'|[^>"'])*)>`, 'gi');
  return [...html.matchAll(tags)].map((match) => readAttributes(match[1] ?? ''));
}

function readAttributes(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const attribute = /([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
  for (const [, name, double, single, bare] of text.matchAll(attribute)) {
    if (name) found[name.toLowerCase()] = decodeEntities(double ?? single ?? bare ?? '');
  }
  return found;
}

const NAMED_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, entity: string) => {
    if (/^#x/i.test(entity)) return String.fromCodePoint(Number.parseInt(entity.slice(2), 16));
    if (entity.startsWith('#')) return String.fromCodePoint(Number.parseInt(entity.slice(1), 10));
    return NAMED_ENTITIES[entity.toLowerCase()] ?? whole;
  });
}
