import { plain } from './hosted-client.js';

export interface PageLayers {
  readonly open: string;
  readonly fold: string;
}

const DETAILS = /<details[^>]*>\s*(<summary[^>]*>.*?<\/summary>)(.*?)<\/details>/gs;

/** The text of a page by layer; the summary of a closed fold counts as open. */
export function layersOf(html: string): PageLayers {
  const body = (/<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? '').replaceAll('<', ' <');
  const folds = [...body.matchAll(DETAILS)].map(([, , inside = '']) => inside);
  return { open: plain(body.replaceAll(DETAILS, '$1')), fold: plain(folds.join(' ')) };
}
