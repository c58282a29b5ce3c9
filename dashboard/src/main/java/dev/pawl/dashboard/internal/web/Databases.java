package dev.pawl.dashboard.internal.web;

import dev.pawl.dashboard.Request;
import java.util.List;

/**
 * The databases of a dashboard, and the one that an instance shows. The first has the usual paths; each other one has the same paths below
 * {@code /databases/NAME}.
 *
 * @param names of all databases, in the order in which they are offered
 * @param shown the index of the database that this instance shows
 */
public record Databases(List<String> names, int shown) {
    /** One database, without a name. */
    public static final Databases ONE = new Databases(List.of(""), 0);

    /** {@return whether there are several to choose from} */
    public boolean areSeveral() {
        return names.size() > 1;
    }

    /** {@return the name of the database shown} */
    public String name() {
        return names.get(shown);
    }

    /** {@return the part of the path for the database shown, after the prefix of the dashboard; empty for the first} */
    public String mount() {
        return mount(shown);
    }

    private String mount(int index) {
        return index == 0 ? "" : "/databases/" + names.get(index);
    }

    /**
     * {@return the name of the cookie with the message of the last change, for the next page} Each database has its own name for it,
     * because browsers send the cookies of the first database to the pages of all.
     */
    public String messageCookie() {
        return shown == 0 ? "pawl_said" : "pawl_said_" + name();
    }

    /** {@return the prefix of the dashboard, without the part for the database} */
    public String root(Request request) {
        return request.prefix().substring(0, request.prefix().length() - mount().length());
    }

    /** {@return the URL of a page of another database} */
    public String url(Request request, int index, String path) {
        return root(request) + mount(index) + path;
    }

    /** {@return whether a request is for a path of the database shown; always true if that is the first database} */
    public boolean isFor(Request request) {
        return request.path().equals(mount()) || request.path().startsWith(mount() + "/");
    }

    /** {@return the request for the database shown: the part of the path with its name is moved to the prefix} */
    public Request below(Request request) {
        String path = request.path().substring(mount().length());
        return new Request(
                request.method(),
                request.prefix() + mount(),
                path.isEmpty() ? "/" : path,
                request.query(),
                request.headers(),
                request.body(),
                request.secure(),
                request.viewer());
    }
}
