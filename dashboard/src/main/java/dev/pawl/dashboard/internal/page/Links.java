package dev.pawl.dashboard.internal.page;

import dev.pawl.api.Job;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Links from a job to other systems, such as its logs or its trace. Immutable. */
public final class Links {
    private static final int MAX = 10;
    private static final Pattern PLACE = Pattern.compile("\\{(id|kind|queue|traceparent|header:[^{}]+)}");

    private final List<Template> templates = new ArrayList<>();

    private record Template(String name, String url) {}

    /**
     * A link of a job.
     *
     * @param name of the target
     * @param url of the target
     */
    public record Link(String name, String url) {}

    /**
     * @param templates each such as {@code Logs=https://logs.example.com/?q={id}}
     * @throws IllegalArgumentException if one is malformed, or is neither http nor https
     */
    public Links(List<String> templates) {
        if (templates.size() > MAX) {
            throw new IllegalArgumentException("more than " + MAX + " links");
        }
        templates.forEach(template -> this.templates.add(parse(template)));
    }

    private static Template parse(String text) {
        int equals = text.indexOf('=');
        String name = equals < 1 ? "" : text.substring(0, equals).strip();
        String url = text.substring(equals + 1).strip();
        // Values are encoded, so an address that is valid with a letter in each placeholder is valid with any value.
        String tried = PLACE.matcher(url).replaceAll("x");
        try {
            URI uri = new URI(tried);
            String scheme = Objects.requireNonNullElse(uri.getScheme(), "").toLowerCase(Locale.ROOT);
            String authority = url.replaceFirst("^[A-Za-z]+://([^/?#]*).*", "$1");
            if (!name.isEmpty()
                    && (scheme.equals("https") || scheme.equals("http"))
                    && uri.getHost() != null
                    && authority.indexOf('{') < 0) {
                return new Template(name, url);
            }
        } catch (URISyntaxException e) {
            // the error follows below
        }
        throw new IllegalArgumentException("the link '" + text
                + "' is not valid: write it like Logs=https://logs.example.com/?q={id}, with {id}, {kind}, {queue}, {traceparent} or"
                + " {header:NAME} after the host");
    }

    /** {@return the links of a job, without those that need a header that it lacks} */
    List<Link> of(Job job) {
        List<Link> links = new ArrayList<>();
        for (Template template : templates) {
            StringBuilder url = new StringBuilder();
            Matcher placeholder = PLACE.matcher(template.url);
            boolean isWhole = true;
            while (placeholder.find()) {
                String value = value(job, placeholder.group(1));
                isWhole &= value != null;
                placeholder.appendReplacement(url, value == null ? "" : Matcher.quoteReplacement(encoded(value)));
            }
            placeholder.appendTail(url);
            if (isWhole) {
                links.add(new Link(template.name, url.toString()));
            }
        }
        return links;
    }

    /** Encodes a value for any place after the host. A blank becomes {@code %20}, because a plus means a blank only in a form. */
    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static @Nullable String value(Job job, String place) {
        return switch (place) {
            case "id" -> Long.toString(job.id());
            case "kind" -> job.kind();
            case "queue" -> job.queue();
            case "traceparent" -> trace(job.headers().get("traceparent"));
            default -> job.headers().get(place.substring("header:".length()));
        };
    }

    /** Returns the trace id of {@code 00-TRACE-SPAN-01}, which is the term to search for. */
    private static @Nullable String trace(@Nullable String traceparent) {
        String[] parts = traceparent == null ? new String[0] : traceparent.split("-", -1);
        return parts.length == 4 ? parts[1] : null;
    }
}
