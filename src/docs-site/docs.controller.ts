import { readFileSync } from 'node:fs';
import { Controller, Get, Header, Module, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiDocumentModule } from '../api-document/index.js';
import {
  type Asset,
  type Environment,
  Fault,
  InjectEnvironment,
  keptAsset,
  PAGE_POLICY,
  projectPath,
  type ScreenModel,
  Screens,
  sendAsset,
} from '../platform/index.js';
import { type Docs, DocsAssets, DocsContent, prefilledKey } from './docs-content.js';
import { DOCS_PATH, markdownTargetOf, REFERENCE_PATH, targetOf } from './guides.js';
import { linkedMarkdown, renderMarkdown } from './markdown.js';

type Model = ScreenModel & { readonly title: string; readonly current: string };

const FRAME = { layout: 'docs', sheets: ['workbench.css', 'docs.css'], scripts: ['docs.js'] };
const MAX_QUERY_CHARACTERS = 100;
const SCRIPTED = `${PAGE_POLICY}; script-src 'self'`;
// Swagger UI's icons are data: addresses.
const TRY_POLICY = `${SCRIPTED}; connect-src 'self'`.replace(
  "img-src 'self'",
  "img-src 'self' data:",
);
const HTML = 'text/html';
const MARKDOWN = 'text/markdown';

/** Public, without a key. */
@Controller()
class DocsController {
  private readonly vectors = keptAsset(
    'application/json; charset=utf-8',
    readFileSync(projectPath('docs/signing-vectors.json')),
  );

  constructor(
    private readonly content: DocsContent,
    private readonly assets: DocsAssets,
    private readonly screens: Screens,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  @Get('llms.txt')
  llms(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(request, response, 'llms.txt', ({ llms }) =>
      textAsset('text/plain', linkedMarkdown(llms, markdownTargetOf)),
    );
  }

  @Get('docs/search')
  @Header('Content-Security-Policy', SCRIPTED)
  async search(
    @Query('q') given: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const docs = await this.content.read();
    const words = typeof given === 'string' ? given.slice(0, MAX_QUERY_CHARACTERS).trim() : '';
    let page = docs.searched.get(words);
    if (!page) {
      const results = words === '' ? [] : docs.search.find(words);
      const model = { title: 'Search', current: `${DOCS_PATH}/search`, words, found: results };
      page = await this.drawn(request, response, 'search', docs, model);
      docs.searched.set(words, page);
    }
    await sendAsset(request, response, page);
  }

  @Get('docs/signing-vectors.json')
  signingVectors(@Req() request: Request, @Res() response: Response): Promise<void> {
    return sendAsset(request, response, this.vectors);
  }

  /** Only the sandbox's page may call the API: there the browser signs its requests. */
  @Get('docs/try')
  @Header('Content-Security-Policy', TRY_POLICY)
  try(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(request, response, 'try', (docs) => {
      const model = { title: 'Try calls', current: `${DOCS_PATH}/try`, isTry: true };
      const key = prefilledKey(this.environment);
      return this.drawn(request, response, 'try', docs, { ...model, key });
    });
  }

  @Get('docs/assets/:file')
  asset(
    @Param('file') file: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return sendAsset(request, response, found(this.assets.find(file)));
  }

  @Get(['docs', 'docs.md', 'docs/:guide', 'docs/reference/:call'])
  @Header('Content-Security-Policy', SCRIPTED)
  page(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { guide, call } = request.params as Record<string, string | undefined>;
    const address = call === undefined ? (guide ?? '') : `reference/${call}`;
    const isMarkdown = request.path.endsWith('.md');
    const name = address.replace(/\.md$/, '');
    return this.send(request, response, isMarkdown ? `${name}.md` : name, (docs) => {
      const source = found(docs.sources.get(name));
      if (isMarkdown) return textAsset(MARKDOWN, linkedMarkdown(source, markdownTargetOf));
      const { title, html, sections } = renderMarkdown(source, targetOf);
      const current = name === '' ? DOCS_PATH : `${DOCS_PATH}/${name}`;
      return this.drawn(request, response, 'page', docs, {
        title,
        current,
        isReference: current.startsWith(REFERENCE_PATH),
        markdownHref: `${current}.md`,
        html,
        parts: sections.filter(({ anchor, isHeading }) => anchor !== '' && isHeading),
      });
    });
  }

  /** @param key of the cache */
  private async send(
    request: Request,
    response: Response,
    key: string,
    make: (docs: Docs) => Asset | Promise<Asset>,
  ): Promise<void> {
    const docs = await this.content.read();
    const kept = docs.drawn.get(key) ?? (await make(docs));
    docs.drawn.set(key, kept);
    await sendAsset(request, response, kept);
  }

  private async drawn(
    request: Request,
    response: Response,
    name: string,
    { menu }: Docs,
    model: Model,
  ): Promise<Asset> {
    const whole = { ...FRAME, menu, ...model };
    return textAsset(HTML, await this.screens.html(request, response, `docs/${name}`, whole));
  }
}

function textAsset(type: string, text: string): Asset {
  return keptAsset(`${type}; charset=utf-8`, Buffer.from(text));
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Fault('route_not_found');
  return value;
}

@Module({
  imports: [ApiDocumentModule],
  controllers: [DocsController],
  providers: [DocsContent, DocsAssets],
})
export class DocsSiteModule {}
