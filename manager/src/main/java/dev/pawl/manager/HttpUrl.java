package dev.pawl.manager;

import java.net.URI;
import java.net.URISyntaxException;

/** Validates the URLs of workers and managers, which the other side must be able to call. */
final class HttpUrl {
    private HttpUrl() {}

    static void check(String what, String url) {
        try {
            check(what, new URI(url));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    what + " is not valid (" + e.getReason() + "): write it like http://host:8080");
        }
    }

    /**
     * @param what the name of the URL, with which the error message starts
     * @param url to be checked
     * @throws IllegalArgumentException if Java's HTTP client does not accept it, or it contains user or password
     */
    static void check(String what, URI url) {
        String scheme = url.getScheme();
        String authority = url.getRawAuthority();
        if (url.getHost() == null && authority != null && authority.contains("_")) {
            throw new IllegalArgumentException(what + " " + Protocol.cut(shown(url), 100)
                    + " is not valid: Java takes no host name with an underscore; give it another, or its address");
        }
        if (url.getHost() == null || !("http".equals(scheme) || "https".equals(scheme)) || url.getUserInfo() != null) {
            throw new IllegalArgumentException(what + " " + Protocol.cut(shown(url), 100)
                    + " is not valid: write it like http://host:8081, without user and password");
        }
    }

    /** Returns the URL without parts that may be secret. */
    static String shown(URI url) {
        return url.toString().replaceFirst("//[^/]*@", "//").replaceFirst("\\?.*", "");
    }
}
