import { Module } from '@nestjs/common';
import { ApiDocumentModule } from '../api-document/index.js';
import { DocsContent } from './docs-content.js';
import { DocsController } from './docs.controller.js';
import { TryPageController } from './try-page.controller.js';

@Module({
  imports: [ApiDocumentModule],
  // Fixed addresses before the guides, which take any name.
  controllers: [TryPageController, DocsController],
  providers: [DocsContent],
})
export class DocsSiteModule {}
