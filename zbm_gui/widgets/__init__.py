"""Small widgets of the window's own: state pages, banners, the search bar, filter chips."""
