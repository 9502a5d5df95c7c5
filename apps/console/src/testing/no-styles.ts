/** The classes of every style sheet in tests: each has the name under which it is asked for. */
// oxlint-disable-next-line house/named-exports -- the place of a style sheet, whose classes are its default export
export default new Proxy<Record<string, string>>({}, { get: (_, name) => String(name) });
