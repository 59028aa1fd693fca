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
  { slug: 'quick-start', about: 'From nothing to the first verified webhook in five minutes.' },
  {
    slug: 'signing',
    about: 'How a call is signed, with vectors, and what is wrong when it fails.',
  },
  { slug: 'hosted-and-headless', about: 'Who asks the applicant: our screens or your app.' },
  { slug: 'headless-journey', about: 'Every state and next action, with a worked example.' },
  {
    slug: 'offers-and-statement',
    about: 'What to show before a choice, and the Key Facts Statement.',
  },
  { slug: 'webhooks', about: 'Receive, verify, retry, recover; and reading events by call.' },
  { slug: 'errors', about: 'Each error code with its cause and what to do.' },
  { slug: 'testing', about: 'Every outcome in the sandbox: how to get it, how long it takes.' },
  { slug: 'workbench', about: 'Pages that show what happened to your journeys and webhooks.' },
  { slug: 'going-live', about: 'What to settle and check before production.' },
  { slug: 'changelog', about: 'What has changed in the API.' },
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
