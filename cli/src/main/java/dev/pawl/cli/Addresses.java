package dev.pawl.cli;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Where to listen, as people write it. */
final class Addresses {
    private Addresses() {}

    /** Reads PORT, HOST:PORT or [IPV6]:PORT; without a host, this machine only. */
    static InetSocketAddress listen(String option, String text) {
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
        InetSocketAddress address = host.isEmpty()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                : new InetSocketAddress(host.replaceAll("^\\[|\\]$", ""), port);
        if (address.isUnresolved()) {
            throw new UsageException(option + ": there is no host '" + Texts.cut(host) + "'");
        }
        return address;
    }
}
