package org.verbena.tools.memory;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads JSON of objects, strings without escapes, and numbers, into maps by path: {@code "a.b"}. Anything else is refused. */
final class Json {
    private final String text;
    private final Map<String, String> values = new LinkedHashMap<>();
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Map<String, String> parse(String text) {
        Json json = new Json(text);
        json.object("");
        json.space();
        if (json.at != text.length()) {
            throw json.wrong("the end");
        }
        return json.values;
    }

    private void object(String path) {
        expect('{');
        if (peek() == '}') {
            expect('}');
            return;
        }
        while (true) {
            String name = string();
            expect(':');
            value(path.isEmpty() ? name : path + "." + name);
            if (peek() != ',') {
                break;
            }
            expect(',');
        }
        expect('}');
    }

    private void value(String path) {
        switch (peek()) {
            case '{' -> object(path);
            case '"' -> put(path, string());
            default -> put(path, number());
        }
    }

    private void put(String path, String value) {
        if (values.put(path, value) != null) {
            throw wrong("one value of " + path);
        }
    }

    private String string() {
        expect('"');
        int begin = at;
        while (text.charAt(at) != '"') {
            if (text.charAt(at) == '\\') {
                throw wrong("no escape");
            }
            at++;
        }
        return text.substring(begin, at++);
    }

    private String number() {
        int begin = at;
        while (at < text.length() && "-.0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        Double.parseDouble(text.substring(begin, at));
        return text.substring(begin, at);
    }

    private char peek() {
        space();
        return text.charAt(at);
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw wrong("'" + wanted + "'");
        }
        at++;
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private AssertionError wrong(String expected) {
        return new AssertionError("expected " + expected + " at " + at + " of " + text);
    }
}
