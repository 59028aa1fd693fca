import { ShownChoice, ShownList, ShownText } from '../platform/index.js';

export class ProductLenderView {
  @ShownText('What `consent.lenderCodes` takes.', 'navdhara')
  code: string;

  @ShownText('Its legal name, by which a consent’s text names it.', 'Navdhara Capital Limited')
  name: string;
}

/** Steps and amounts are the operator's business. */
export class ProductView {
  @ShownText('The catalogue’s code.', 'ONLINE_PERSONAL')
  code: string;

  @ShownText('What to call it.', 'Personal loan')
  displayName: string;

  @ShownText('What to list it under.', 'Personal')
  category: string;

  @ShownChoice('OFFLINE: listed, and not taken by initiate.', ['ONLINE', 'OFFLINE'])
  channel: 'ONLINE' | 'OFFLINE';

  @ShownText('Who provides it.', 'Rinpath lending partners')
  provider: string;

  @ShownText('The name of its icon.', 'personal-loan')
  icon: string;

  @ShownList(() => ProductLenderView, 'The lenders that are asked at present; none: left out.', {
    optional: true,
  })
  lenders?: ProductLenderView[];
}

export class ProductList {
  @ShownList(() => ProductView, 'In the order of the catalogue.')
  products: ProductView[];
}
