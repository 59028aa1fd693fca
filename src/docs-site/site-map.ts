import { DOCS_PATH, EVENTS_PATH, GROUPS, type Guide, REFERENCE_PATH } from './guides.js';
import type { Reference } from './reference.js';
import { page } from './reference-pages.js';

interface MenuLink {
  readonly href: string;
  readonly title: string;
  readonly about: string;
  readonly method?: string;
}

interface MenuGroup {
  readonly title: string;
  readonly links: readonly MenuLink[];
  /** Whether the group is a tag of calls. */
  readonly isTag?: boolean;
}

export interface SiteMap {
  readonly menu: readonly MenuGroup[];
  /** The Markdown of every page, by its address below `/docs`; the overview's is empty. */
  readonly sources: ReadonlyMap<string, string>;
  /** https://llmstxt.org */
  readonly llms: string;
}

const SUMMARY =
  '> List loan products, start a journey for an applicant, compare lenders’ offers, take the ' +
  'applicant to the payout, and receive each step as a signed webhook.';

const CALLS =
  'Every call is [signed](/docs/signing). The document: [JSON](/openapi.json), [YAML](/openapi.yaml).';

/** Menu links to pages other than guides. */
const OWN_LINKS: Readonly<Record<string, readonly MenuLink[]>> = {
  Webhooks: [{ href: EVENTS_PATH, title: 'Event catalogue', about: 'Every event with its body.' }],
  Reference: [
    {
      href: REFERENCE_PATH,
      title: 'API reference',
      about: 'Every call, with its fields and errors.',
    },
  ],
};
const TRY: MenuLink = {
  href: `${DOCS_PATH}/try`,
  title: 'Try calls',
  about: 'Signed in your browser.',
};

export function siteMapOf(
  guides: readonly Guide[],
  reference: Reference,
  { isSandbox, name }: { readonly isSandbox: boolean; readonly name: string },
): SiteMap {
  const groups = GROUPS.map((title): MenuGroup => {
    const ofGroup = guides.filter(({ group }) => group === title);
    const links = ofGroup.map(({ slug, ...guide }) => ({ ...guide, href: `${DOCS_PATH}/${slug}` }));
    const tries = title === 'Test' && isSandbox ? [TRY] : [];
    return { title, links: [...links, ...(OWN_LINKS[title] ?? []), ...tries] };
  });
  const tags = reference.tags.map((tag): MenuGroup => ({
    title: tag.name,
    isTag: true,
    links: tag.calls.map(({ slug, title, method, path }) => ({
      href: `${REFERENCE_PATH}/${slug}`,
      title,
      about: `\`${method} ${path}\``,
      method,
    })),
  }));
  const calls = [CALLS, ...tags.map(listOf)];
  return {
    menu: [...groups, ...tags],
    sources: new Map([
      ['', page('Documentation', [SUMMARY, ...groups.map(listOf)])],
      ['reference', page('API reference', calls)],
      ['reference/webhook-events', reference.eventsMarkdown],
      ...guides.map(({ slug, markdown }) => [slug, markdown] as const),
      ...reference.calls.map(({ slug, markdown }) => [`reference/${slug}`, markdown] as const),
    ]),
    llms: page(`${name} partner API`, [SUMMARY, ...groups.map(listOf), ...calls]),
  };
}

function listOf({ title, links }: MenuGroup): string {
  const lines = links.map((link) => `- [${link.title}](${link.href}): ${link.about}`);
  return `## ${title}\n\n${lines.join('\n')}`;
}
