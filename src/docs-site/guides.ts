import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { withRecentMoments } from '../api-document/index.js';
import { projectPath } from '../platform/index.js';
import type { LinkTarget } from './markdown.js';

export interface Guide {
  readonly slug: string;
  readonly group: GuideGroup;
  readonly title: string;
  readonly about: string;
  readonly markdown: string;
}

/** Replace placeholders in the repository's text. */
interface GuideValues {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly apiSecret?: string;
}

export const DOCS_PATH = '/docs';
export const REFERENCE_PATH = `${DOCS_PATH}/reference`;
export const EVENTS_PATH = `${REFERENCE_PATH}/webhook-events`;
const FOLDER = 'docs/partners';
const SNIPPETS = 'docs/snippets';

export const GROUPS = ['Start', 'Build', 'Webhooks', 'Test', 'Go live', 'Reference'] as const;

type GuideGroup = (typeof GROUPS)[number];

/** In a newcomer's order; unlisted pages are not shown. */
export const GUIDES: readonly Pick<Guide, 'slug' | 'group' | 'about'>[] = [
  { group: 'Start', slug: 'quick-start', about: 'To the first verified webhook in five minutes.' },
  {
    group: 'Start',
    slug: 'signing',
    about: 'How to sign a call, in six languages, and how to find errors.',
  },
  {
    group: 'Start',
    slug: 'hosted-and-headless',
    about: 'Choose our screens or your app for the applicant.',
  },
  { group: 'Build', slug: 'hosted-journey', about: 'One call and one link: our screens ask.' },
  {
    group: 'Build',
    slug: 'headless-journey',
    about: 'Every state and next action, with an example.',
  },
  {
    group: 'Build',
    slug: 'offers-and-statement',
    about: 'What to display before a choice, and the Key Facts Statement.',
  },
  {
    group: 'Build',
    slug: 'eligibility',
    about: 'Which lenders are likely to make an offer, before a journey.',
  },
  { group: 'Build', slug: 'gold-loans', about: 'Weight, limits and the branch.' },
  { group: 'Build', slug: 'instant-loans', about: 'One call; offers and fee are on our page.' },
  {
    group: 'Build',
    slug: 'your-reference',
    about: 'Your own identifiers in every answer, and how to reconcile.',
  },
  {
    group: 'Webhooks',
    slug: 'webhooks',
    about: 'Receive, verify and recover webhooks; poll for events.',
  },
  {
    group: 'Test',
    slug: 'testing',
    about: 'How to get every outcome in the sandbox, and how long it takes.',
  },
  {
    group: 'Test',
    slug: 'workbench',
    about: 'Pages with the history of your journeys and webhooks.',
  },
  { group: 'Go live', slug: 'going-live', about: 'What to agree and check before production.' },
  { group: 'Reference', slug: 'errors', about: 'Each error code with its cause and what to do.' },
  { group: 'Reference', slug: 'idempotency', about: 'Retry a call without doing it twice.' },
  { group: 'Reference', slug: 'limits', about: 'Calls, sizes and periods, and what to do at 429.' },
  { group: 'Reference', slug: 'pagination', about: 'Read lists and events page by page.' },
  { group: 'Reference', slug: 'versioning', about: 'What can change within v1.' },
  { group: 'Reference', slug: 'changelog', about: 'Changes of the API.' },
];

/** The anchor may name a call. */
const API_DOCUMENT = '../openapi.json';
const SIGNING_VECTORS = '../signing-vectors.json';

export function readGuides(values: GuideValues, now: Date): Guide[] {
  return GUIDES.map((guide) => {
    const source = readFileSync(projectPath(`${FOLDER}/${guide.slug}.md`), 'utf8');
    const markdown = withValues(withSnippets(withRecentMoments(source, now)), values);
    const [title] = markdown.split('\n');
    return { ...guide, title: title.replace('# ', ''), markdown };
  });
}

/** By file extension: the fence's language and the tab's title, in the order of the tabs. */
const TABS: Readonly<Record<string, string>> = {
  '.sh': 'sh curl',
  '.mjs': 'js Node',
  '.py': 'python Python',
  '.java': 'java Java',
  '.go': 'go Go',
  '.php': 'php PHP',
};

/** `<!-- snippets: NAME -->` becomes every file of the folder. */
function withSnippets(source: string): string {
  return source.replaceAll(/^<!-- snippets: ([\w-]+) -->$/gm, (_, name: string) => {
    const folder = projectPath(`${SNIPPETS}/${name}`);
    const files = readdirSync(folder);
    return Object.entries(TABS)
      .flatMap(([end, info]) => {
        const file = files.find((one) => extname(one) === end);
        if (file === undefined) return [];
        return `\`\`\`${info}\n${readFileSync(`${folder}/${file}`, 'utf8')}\`\`\``;
      })
      .join('\n\n');
  });
}

function withValues(source: string, { baseUrl, apiKey, apiSecret }: GuideValues): string {
  return source
    .replaceAll('http://localhost:3000', (shown) => baseUrl ?? shown)
    .replaceAll('YOUR_API_KEY', (shown) => apiKey ?? shown)
    .replaceAll('YOUR_API_SECRET', (shown) => apiSecret ?? shown);
}

/** Null for a repository file that the site does not show. */
export const targetOf: LinkTarget = (href) => {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
  const [file, anchor] = href.split('#');
  const slug = file.replace(/\.md$/, '');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (GUIDES.some((guide) => guide.slug === slug)) return `${DOCS_PATH}/${slug}${hash}`;
  if (file === SIGNING_VECTORS) return `${DOCS_PATH}/signing-vectors.json`;
  if (file !== API_DOCUMENT) return null;
  return anchor === undefined ? REFERENCE_PATH : `${REFERENCE_PATH}/${anchor}`;
};

const PAGE = /^(\/docs(?:\/(?!try)[\w/-]+)?)(#.*)?$/;

/** The same page as Markdown. */
export const markdownTargetOf: LinkTarget = (href) =>
  targetOf(href)?.replace(PAGE, '$1.md$2') ?? null;
