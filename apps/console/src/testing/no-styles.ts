/** The classes of every style sheet in tests: each has the name under which it is asked for. */
// eslint-disable-next-line no-restricted-syntax -- the place of a style sheet, whose classes are its default export
export default new Proxy<Record<string, string>>({}, { get: (_, name) => String(name) });
