package dev.pawl.dashboard.internal.web;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Proxies whose X-Forwarded-Proto is trusted.
 *
 * @param addresses their IP addresses
 */
public record Proxies(Set<InetAddress> addresses) {
    /**
     * @param texts IP addresses; names are not resolved, because their addresses may change
     * @return the proxies
     * @throws IllegalArgumentException if one is not an address
     */
    public static Proxies of(Collection<String> texts) {
        return new Proxies(texts.stream().map(Proxies::address).collect(Collectors.toUnmodifiableSet()));
    }

    private static InetAddress address(String text) {
        String address = text.strip();
        boolean isAddress = address.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
        try {
            if (isAddress) {
                return InetAddress.getByName(address);
            }
        } catch (UnknownHostException e) {
            // the error follows below
        }
        throw new IllegalArgumentException("the proxy '" + address + "' is not an IP address: write it like 10.0.0.7");
    }

    /**
     * @param from the sender of a request
     * @param proto its header X-Forwarded-Proto
     * @return whether it came over HTTPS according to one of these proxies
     */
    public boolean sayHttps(InetAddress from, @Nullable String proto) {
        return proto != null && addresses.contains(from) && proto.strip().equalsIgnoreCase("https");
    }
}
