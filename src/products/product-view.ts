import { ShownChoice, ShownList, ShownText } from '../platform/index.js';

/** A product as partners see it: its steps and amounts are the operator's business. */
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
}

export class ProductList {
  @ShownList(() => ProductView, 'In the order of the catalogue.')
  products: ProductView[];
}
