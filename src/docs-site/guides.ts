import { readFileSync } from 'node:fs';
import { projectPath } from '../platform/index.js';
import { type LinkTarget, type RenderedPage, renderMarkdown } from './markdown.js';

export interface Guide extends RenderedPage {
  readonly slug: string;
  readonly href: string;
  readonly about: string;
}

/** Replace placeholders in the repository's text. */
interface GuideValues {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly apiSecret?: string;
}

export const DOCS_PATH = '/docs';
export const REFERENCE_PATH = `${DOCS_PATH}/reference`;
const FOLDER = 'docs/partners';

/** In a newcomer's order; unlisted pages are not shown. */
export const GUIDES: readonly { slug: string; about: string }[] = [
  { slug: 'quick-start', about: 'To the first verified webhook in five minutes.' },
  {
    slug: 'signing',
    about: 'How to sign a call, with test vectors, and how to find errors.',
  },
  { slug: 'hosted-and-headless', about: 'Choose our screens or your app for the applicant.' },
  { slug: 'headless-journey', about: 'Every state and next action, with an example.' },
  {
    slug: 'offers-and-statement',
    about: 'What to display before a choice, and the Key Facts Statement.',
  },
  { slug: 'webhooks', about: 'Receive, verify and recover webhooks; poll for events.' },
  { slug: 'errors', about: 'Each error code with its cause and what to do.' },
  { slug: 'testing', about: 'How to get every outcome in the sandbox, and how long it takes.' },
  { slug: 'workbench', about: 'Pages with the history of your journeys and webhooks.' },
  { slug: 'going-live', about: 'What to agree and check before production.' },
  { slug: 'changelog', about: 'Changes of the API.' },
];

/** The anchor may name a call. */
const API_DOCUMENT = '../openapi.json';
const SIGNING_VECTORS = '../signing-vectors.json';

export function readGuides(values: GuideValues): Guide[] {
  return GUIDES.map(({ slug, about }) => {
    const source = readFileSync(projectPath(`${FOLDER}/${slug}.md`), 'utf8');
    const page = renderMarkdown(withValues(source, values), targetOf);
    return { ...page, slug, about, href: `${DOCS_PATH}/${slug}` };
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
