package dev.pawl.cli;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Parses the addresses to listen on. */
final class Addresses {
    private Addresses() {}

    /** Parses PORT, HOST:PORT or [IPV6]:PORT; without a host, only this machine. */
    static InetSocketAddress listen(String option, String text) {
        return listen(option, text, false);
    }

    /** Like {@link #listen(String, String)}; without a host, all addresses if other machines should connect. */
    static InetSocketAddress listen(String option, String text, boolean forOthers) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        int port;
        try {
            port = Integer.parseInt(text.substring(colon + 1));
        } catch (NumberFormatException e) {
            port = -1;
        }
        if (port < 0 || port > 65_535) {
            throw new UsageException(
                    option + " '" + Texts.cut(text) + "' is not valid: use a port, 0 to 65535, or HOST:PORT");
        }
        if (host.isEmpty()) {
            return forOthers
                    ? new InetSocketAddress(port)
                    : new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        }
        InetSocketAddress address = new InetSocketAddress(host.replaceAll("^\\[|\\]$", ""), port);
        if (address.isUnresolved()) {
            throw new UsageException(option + ": there is no host '" + Texts.cut(host) + "'");
        }
        return address;
    }
}
