package dev.pawl.dashboard.internal.web;

import dev.pawl.dashboard.Response;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Maps paths to handlers. A path may contain one {@code {id}}, a number; names are parameters, because they may contain slashes. */
public final class Routes {
    private static final String ID = "{id}";
    private static final int MAX_DIGITS = 18;

    private final Map<String, Map<String, Handler>> byPath = new LinkedHashMap<>();

    /** Answers a call. */
    @FunctionalInterface
    public interface Handler {
        /** {@return the answer to the call} */
        Response handle(Call call);
    }

    record Match(Handler handler, long id) {}

    /** Adds a route for reading. */
    public void get(String path, Handler handler) {
        add("GET", path, handler);
    }

    /** Adds a route for changing something. */
    public void post(String path, Handler handler) {
        add("POST", path, handler);
    }

    private void add(String method, String path, Handler handler) {
        Handler before = byPath.computeIfAbsent(path, any -> new TreeMap<>()).put(method, handler);
        if (before != null) {
            throw new IllegalStateException(method + " " + path + " has two handlers");
        }
    }

    /** {@return every method and path, such as {@code POST /jobs/{id}/retry}} */
    public List<String> all() {
        List<String> all = new ArrayList<>();
        byPath.forEach((path, methods) -> methods.keySet().forEach(method -> all.add(method + " " + path)));
        return all;
    }

    Match match(String method, String path) {
        String wanted = method.equals("HEAD") ? "GET" : method;
        String[] parts = path.split("/", -1);
        long id = 0;
        for (int i = 0; i < parts.length; i++) {
            if (parts[i].matches("[0-9]{1," + MAX_DIGITS + "}")) {
                id = Long.parseLong(parts[i]);
                parts[i] = ID;
            }
        }
        Map<String, Handler> methods = byPath.get(String.join("/", parts));
        if (methods == null) {
            throw new Refusal(404, "there is nothing at " + path);
        }
        Handler handler = methods.get(wanted);
        if (handler == null) {
            throw Refusal.ofMethod(path, methods.keySet());
        }
        return new Match(handler, id);
    }
}
